/** A device that says exactly what a test tells it to say, true or not. */
import { once } from 'node:events';
import { emptyHardware } from '@drawbridge/contract/hardware';
import {
  agentStatement,
  uplinkPath,
  uplinkProtocol,
  type DownMessage,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { createDeviceKey, newNonce, signWith, type DeviceKey } from '@drawbridge/agent/uplink/keys';
import { WebSocket } from 'ws';

export type ReceivedMessage<Kind extends DownMessage['kind']> = Extract<DownMessage, { kind: Kind }>;

export const honestDevice = {
  facts: {
    name: 'rogue',
    os: 'linux',
    os_user: 'eve',
    version: '0.1.0',
    rdp: false,
    hibernate: false,
    power_supply: true,
    installed: false,
    addresses: ['10.6.6.6'],
  },
  fingerprint: { machine_id: '', serial: '', macs: [] },
  hardware: { ...emptyHardware, ComputerName: 'rogue' },
} as const;

export interface RogueDevice extends AsyncDisposable {
  key: DeviceKey;
  socket: WebSocket;
  /** Everything the server said, in order. */
  heard: DownMessage[];
  /** What it said last, word for word, so that it can be said again. */
  words: string[];
  say(message: string | Buffer | object): void;
  /** The next message of this kind that was not taken yet; rejects when the server hangs up before. */
  next<Kind extends DownMessage['kind']>(kind: Kind): Promise<ReceivedMessage<Kind>>;
  /** Says hello and resolves with what is asked. */
  hello(some?: Partial<Extract<UpMessage, { kind: 'hello' }>>): Promise<ReceivedMessage<'challenge'>>;
  /** Answers the challenge, with other things in it where told. */
  prove(
    asked: ReceivedMessage<'challenge'>,
    some?: { facts?: unknown; fingerprint?: unknown; signature?: string },
  ): void;
  /** Joins or comes back like an honest device, and says that it kept its epoch. */
  enter(
    token?: string,
    some?: { facts?: unknown; fingerprint?: unknown },
  ): Promise<ReceivedMessage<'welcome'>>;
  /** How the server hung up. */
  closed: Promise<{ code: number; reason: string }>;
}

export async function openRogueDevice(
  server: string,
  { key = createDeviceKey(), headers = {} }: { key?: DeviceKey; headers?: Record<string, string> } = {},
): Promise<RogueDevice> {
  const socket = new WebSocket(new URL(uplinkPath, server.replace(/^http/, 'ws')), uplinkProtocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
    headers,
  });
  const [heard, words] = [[] as DownMessage[], [] as string[]];
  const nonce = newNonce();
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as DownMessage));
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>(
    (resolve) => void socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await Promise.race([once(socket, 'open'), closed.then(() => Promise.reject(new Error('not let in')))]);
  let taken = 0;

  const say: RogueDevice['say'] = (message) => {
    const text = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
    if (typeof text === 'string') words.push(text);
    if (socket.readyState === WebSocket.OPEN) socket.send(text, { binary: typeof text !== 'string' });
  };
  const next: RogueDevice['next'] = async (kind) => {
    for (;;) {
      while (taken < heard.length) {
        const message = heard[taken++]!;
        if (message.kind === kind) return message as never;
      }
      if (socket.readyState >= WebSocket.CLOSING && taken >= heard.length)
        throw new Error(`no ${kind} came; the server said ${JSON.stringify(heard)}`);
      await Promise.race([once(socket, 'message'), closed]);
    }
  };
  const hello: RogueDevice['hello'] = (some = {}) => {
    say({ kind: 'hello', version: 1, key: key.publicKey, nonce, ...some });
    return next('challenge');
  };
  const prove: RogueDevice['prove'] = (asked, some = {}) => {
    const statement = agentStatement({ serverNonce: asked.nonce, agentNonce: nonce, serverKey: asked.key });
    const { facts, fingerprint } = honestDevice;
    say({ kind: 'proof', signature: signWith(key.privateKey, statement), facts, fingerprint, ...some });
  };
  return {
    key,
    socket,
    heard,
    words,
    say,
    next,
    hello,
    prove,
    closed,
    async enter(token, some) {
      const secret = token === undefined ? undefined : parseEnrolmentToken(token)!.secret;
      prove(await hello(secret === undefined ? {} : { token: secret }), some);
      const welcome = await next('welcome');
      say({ kind: 'kept', epoch: welcome.epoch });
      return welcome;
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}
