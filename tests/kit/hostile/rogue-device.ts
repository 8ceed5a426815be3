/** A device that sends exactly what a test gives it, true or not. */
import { once } from 'node:events';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
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
  /** Everything the server sent, in order. */
  received: DownMessage[];
  /** The last message it sent, verbatim, so that it can be replayed. */
  sentTexts: string[];
  send(message: string | Buffer | object): void;
  /** The next unread message of this kind; rejects if the server closes the connection first. */
  next<Kind extends DownMessage['kind']>(kind: Kind): Promise<ReceivedMessage<Kind>>;
  /** Sends hello and resolves with the challenge. */
  hello(some?: Partial<Extract<UpMessage, { kind: 'hello' }>>): Promise<ReceivedMessage<'challenge'>>;
  /** Answers the challenge, with the given fields replaced. */
  prove(
    asked: ReceivedMessage<'challenge'>,
    some?: { facts?: unknown; fingerprint?: unknown; signature?: string },
  ): void;
  /** Enrols or reconnects like an honest device, and confirms that it stored its epoch. */
  enter(
    token?: string,
    some?: { facts?: unknown; fingerprint?: unknown },
  ): Promise<ReceivedMessage<'welcome'>>;
  /** Resolves with how the server closed the connection. */
  closed: Promise<{ code: number; reason: string }>;
}

async function openSocket(server: string, headers: Record<string, string>) {
  const socket = new WebSocket(new URL(uplinkPath, server.replace(/^http/, 'ws')), uplinkProtocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
    headers,
  });
  const received: DownMessage[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as DownMessage));
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>(
    (resolve) => void socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await Promise.race([once(socket, 'open'), closed.then(() => Promise.reject(new Error('not let in')))]);
  return { socket, received, closed };
}

/** Takes each received message once. */
function createReader({ socket, received, closed }: Pick<RogueDevice, 'socket' | 'received' | 'closed'>) {
  let taken = 0;
  return async <Kind extends DownMessage['kind']>(kind: Kind): Promise<ReceivedMessage<Kind>> => {
    for (;;) {
      while (taken < received.length) {
        const message = received[taken++]!;
        if (message.kind === kind) return message as ReceivedMessage<Kind>;
      }
      if (socket.readyState >= WebSocket.CLOSING && taken >= received.length)
        throw new Error(`no ${kind} came; the server said ${JSON.stringify(received)}`);
      await Promise.race([once(socket, 'message'), closed]);
    }
  };
}

function proofOf(key: DeviceKey, nonce: string, asked: ReceivedMessage<'challenge'>): object {
  const statement = agentStatement({ serverNonce: asked.nonce, agentNonce: nonce, serverKey: asked.key });
  const { facts, fingerprint } = honestDevice;
  return { kind: 'proof', signature: signWith(key.privateKey, statement), facts, fingerprint };
}

interface RogueDeviceOptions {
  key?: DeviceKey;
  headers?: Record<string, string>;
  /** Of the uplink. */
  version?: number;
}

export async function openRogueDevice(
  server: string,
  { key = createDeviceKey(), headers = {}, version = 1 }: RogueDeviceOptions = {},
): Promise<RogueDevice> {
  const opened = await openSocket(server, headers);
  const { socket, closed } = opened;
  const [sentTexts, nonce, next] = [[] as string[], newNonce(), createReader(opened)];
  const device: RogueDevice = {
    ...opened,
    key,
    sentTexts,
    next,
    send(message) {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
      const text = isRaw ? message : JSON.stringify(message);
      if (typeof text === 'string') sentTexts.push(text);
      if (socket.readyState === WebSocket.OPEN) socket.send(text, { binary: typeof text !== 'string' });
    },
    hello(some = {}) {
      device.send({ kind: 'hello', version, key: key.publicKey, nonce, ...some });
      return next('challenge');
    },
    prove: (asked, some = {}) => device.send({ ...proofOf(key, nonce, asked), ...some }),
    async enter(token, some) {
      const secret = token === undefined ? undefined : parseEnrolmentToken(token)!.secret;
      device.prove(await device.hello(secret === undefined ? {} : { token: secret }), some);
      const welcome = await next('welcome');
      device.send({ kind: 'kept', epoch: welcome.epoch });
      return welcome;
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
  return device;
}
