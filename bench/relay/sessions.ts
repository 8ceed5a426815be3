/** Simulated sessions: screen updates at 4 Mbit/s in one direction, acknowledgements in the other. */
import { randomBytes, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { frameKinds, type Side } from '@drawbridge/contract/session/frame-kinds';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { encodeBody, signedBytes, withSignature } from '@drawbridge/contract/session/signed';
import { WebSocket } from 'ws';

export const megabits = 4;
const perSecond = 30;
const picture = Buffer.alloc((megabits * 1_000_000) / 8 / perSecond, 0x5a);
picture[0] = frameKinds.video.byte;
const shown = Buffer.alloc(21, 0x5a);
shown[0] = frameKinds.shown.byte;

export interface RelaySessions extends AsyncDisposable {
  /** Sends screen updates in all sessions for this long; resolves with their bytes when all have arrived. */
  run(seconds: number): Promise<number>;
}

export interface RelayHost {
  name: 'ours' | 'limit';
  origin: string;
  /** Key that signs the tickets. */
  key: KeyObject;
}

/** The bare pipe pairs sockets whose first message is equal; the relay verifies tickets. */
function firstMessageOf({ name, key }: RelayHost, pair: string, side: Side): string {
  if (name === 'limit') return pair;
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const body = encodeBody('ticket', { v: 1, pair, side, permissions: ['agent_connect'], exp });
  return withSignature(body, sign(null, signedBytes('ticket', body), key));
}

async function dial(where: RelayHost, pair: string, side: Side): Promise<WebSocket> {
  const socket = new WebSocket(`${where.origin}${relayPath}`, relayProtocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  socket.send(firstMessageOf(where, pair, side));
  return socket;
}

async function meet(where: RelayHost): Promise<{ device: WebSocket; operator: WebSocket }> {
  const pair = randomBytes(16).toString('base64url');
  const device = await dial(where, pair, 'device');
  const operator = await dial(where, pair, 'operator');
  await once(operator, 'message');
  return { device, operator };
}

export async function openRelaySessions(where: RelayHost, count: number): Promise<RelaySessions> {
  const open: Awaited<ReturnType<typeof meet>>[] = [];
  let bytes = 0;
  for (let number = 0; number < count; number += 1) {
    const met = await meet(where);
    met.operator.on('message', (data: Buffer) => {
      bytes += data.length;
      met.operator.send(shown);
    });
    open.push(met);
  }
  return {
    async run(seconds) {
      bytes = 0;
      const started = performance.now();
      const due = (): number => ((performance.now() - started) / 1_000) * perSecond * count;
      let sent = 0;
      for (; sent < seconds * perSecond * count; await wait(3))
        for (const until = due(); sent < until; sent += 1) open[sent % count]!.device.send(picture);
      while (bytes < sent * picture.length) await wait(3);
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      const all = open.flatMap(({ device, operator }) => [device, operator]);
      await Promise.all(
        all.map((socket) => {
          const closed = once(socket, 'close');
          socket.terminate();
          return closed;
        }),
      );
    },
  };
}
