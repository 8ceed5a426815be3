/** The sealed channel over a transport, from either side: values in, values out; whatever does not fit ends it. */
import {
  frameKindOf,
  frameKinds,
  maySend,
  type FrameKindName,
  type Side,
} from '@drawbridge/contract/session/frame-kinds';
import { sanitizePayload } from './sanitize-payload.ts';
import type { BufferBytes } from './keys.ts';
import type { Transport } from './relay-socket.ts';
import { payloadBytes, readPayload, type Payload } from './payloads.ts';
import { createOpener, createSealer, type Secrets } from './seal.ts';

export interface SealedChannel {
  /** False, and nothing is sent, for what this side may not send. */
  send<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): boolean;
  /** A frame came from the transport. */
  receive(frame: BufferBytes): void;
  /** Resolves when every frame that came was handled: the last one may have been a goodbye. */
  received(): Promise<void>;
  drained(): Promise<void>;
  /** After all that was sent. */
  close(): void;
}

export interface SealedChannelOptions {
  side: Side;
  transport: Transport;
  secrets: Secrets;
  /** Those of the grant. */
  permissions: ReadonlySet<string>;
  now(): number;
  onFrame<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
  /** A kind of the other side's that the grant does not allow it. */
  onForbidden(kind: FrameKindName): void;
  onBroken(message: string): void;
}

/** Senders wait while more bytes than this are queued. */
const highWaterMark = 512 * 1_024;
const pollMs = 10;

const otherSide = { operator: 'device', device: 'operator' } as const;

export function createSealedChannel(options: SealedChannelOptions): SealedChannel {
  const { side, transport, secrets, permissions } = options;
  const sealer = createSealer(secrets[side], options.now);
  const opener = createOpener(secrets[otherSide[side]]);
  const readFrame = createFrameReader(options);
  let sendQueue: Promise<void> = Promise.resolve();
  let lastReceived: Promise<void> = Promise.resolve();
  let queuedBytes = 0;
  let closed = false;

  const sendInOrder = async (
    before: Promise<void>,
    sealed: Promise<BufferBytes>,
    length: number,
  ): Promise<void> => {
    await before;
    transport.send(await sealed);
    queuedBytes -= length;
  };
  const enqueue = (byte: number, payload: BufferBytes): void => {
    const sealed = sealer.seal(byte, payload);
    queuedBytes += payload.length;
    sendQueue = sendInOrder(sendQueue, sealed, payload.length);
  };
  return {
    send(kind, payload) {
      if (closed || !maySend(side, frameKinds[kind].byte, permissions)) return false;
      if (sealer.isDue()) enqueue(frameKinds.rekey.byte, payloadBytes('rekey', undefined));
      enqueue(frameKinds[kind].byte, payloadBytes(kind, payload));
      return true;
    },
    receive(frame) {
      lastReceived = opener.open(frame).then(
        (payload) => void (closed || readFrame(frame[0], payload)),
        () => void (closed || options.onBroken('a frame could not be opened')),
      );
    },
    received: () => lastReceived,
    async drained() {
      const isFull = (): boolean => !closed && queuedBytes + transport.buffered() > highWaterMark;
      while (isFull()) await new Promise((resolve) => setTimeout(resolve, pollMs));
    },
    close() {
      closed = true;
      void sendQueue.then(() => transport.close());
    },
  };
}

/** Looks at what was opened before anybody acts on it. */
function createFrameReader({
  side,
  permissions,
  onFrame: readFrame,
  onForbidden: forbidden,
  onBroken: broken,
}: SealedChannelOptions) {
  const from = otherSide[side];
  const allPermissions = new Set<string>(
    Object.values(frameKinds).flatMap(({ permission }) => permission ?? []),
  );
  return (byte: number | undefined, bytes: BufferBytes): void => {
    const kind = frameKindOf(byte);
    if (kind === undefined || kind === 'hello' || !maySend(from, byte, allPermissions))
      return broken('a frame of a kind that is not expected');
    if (!maySend(from, byte, permissions)) return forbidden(kind);
    if (kind === 'rekey') return;
    const payload = readPayload(kind, bytes);
    if (payload === undefined) return broken(`a frame "${kind}" is out of shape`);
    readFrame(kind, sanitizePayload(kind, payload));
  };
}
