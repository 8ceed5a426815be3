/** The sealed channel between operator and device, from either side: it seals, orders, checks permissions and decodes. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import {
  frameKindOf,
  frameKinds,
  maySend,
  type FrameKind,
  type FrameKindName,
  type Side,
} from '@drawbridge/contract/session/frame-kinds';
import type { SessionKeys } from './handshake.ts';
import { decodePayload, encodeParts, type Payload } from './payloads.ts';
import type { Clock, SessionCrypto, Transport } from './ports.ts';
import { createOpener, createSealer, type Sealer } from './seal.ts';

export interface SealedChannel {
  /** Returns false and sends nothing if this side may not send the kind or the other side does not know it. */
  send<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): boolean;
  /** As `send`, for a payload that is already encoded, in one or several parts. */
  sendEncoded(kind: FrameKindName, ...payload: readonly Uint8Array[]): boolean;
  /** Takes a frame from the transport. */
  receive(frame: Uint8Array): void;
  /** Resolves when every frame taken so far was handled. */
  received(): Promise<void>;
  buffered(): number;
  drained(): Promise<void>;
  /** Closes the transport after everything was sent. */
  close(willReturn?: boolean): void;
}

export interface SealedChannelOptions {
  side: Side;
  transport: Transport;
  crypto: Pick<SessionCrypto, 'importFrameKey'>;
  keys: SessionKeys;
  clock: Pick<Clock, 'now'>;
  /** The permissions in force now. */
  permissions(): ReadonlySet<string>;
  /** The version of the protocol that the other side supports; 1 until it is known. */
  otherVersion(): number;
  onFrame<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
  /** The other side sent a kind that the permissions do not allow. */
  onForbidden(kind: FrameKindName): void;
  /** No honest peer does this: the session must end. */
  onBroken(message: string): void;
}

const otherSide = { operator: 'device', device: 'operator' } as const;

export function createSealedChannel(options: SealedChannelOptions): SealedChannel {
  const { side, transport, keys, crypto, clock } = options;
  const sealer = createSealer(keys[side], crypto.importFrameKey, clock);
  const queue = createSendQueue(sealer, transport);
  const receiver = createReceiver(options);
  let isClosed = false;

  const maySendNow = (kind: FrameKindName): boolean =>
    !isClosed &&
    frameKinds[kind].since <= options.otherVersion() &&
    maySend(side, frameKinds[kind].byte, options.permissions());
  const sendEncoded = (kind: FrameKindName, ...payload: readonly Uint8Array[]): boolean => {
    if (!maySendNow(kind)) return false;
    if (sealer.isRekeyDue()) queue.push(frameKinds.rekey.byte, new Uint8Array(0));
    queue.push(frameKinds[kind].byte, ...payload);
    return true;
  };
  return {
    send: (kind, payload) => maySendNow(kind) && sendEncoded(kind, ...encodeParts(kind, payload)),
    sendEncoded,
    receive: receiver.receive,
    received: receiver.received,
    buffered: () => queue.waitingBytes() + transport.buffered(),
    async drained() {
      await queue.flushed();
      await transport.drained();
    },
    close(willReturn) {
      isClosed = true;
      receiver.stop();
      if (queue.waitingBytes() === 0) transport.close(willReturn);
      else void queue.flushed().then(() => transport.close(willReturn));
    },
  };
}

/** Opens frames in order and hands them on until it is stopped. */
function createReceiver(options: SealedChannelOptions) {
  const { keys, side, crypto } = options;
  const opener = createOpener(keys[otherSide[side]], crypto.importFrameKey);
  const deliver = createFrameReader(options);
  let lastReceived: Promise<void> = Promise.resolve();
  let isStopped = false;
  const handle = (kindByte: number | undefined, payload: Bytes | undefined): void => {
    if (isStopped) return;
    if (payload) deliver(kindByte, payload);
    else options.onBroken('A frame was lost, changed or not meant for this session.');
  };
  return {
    receive(frame: Uint8Array): void {
      if (isStopped) return;
      const opened = opener.open(frame);
      if (opened instanceof Promise) lastReceived = opened.then((payload) => handle(frame[0], payload));
      else handle(frame[0], opened);
    },
    received: () => lastReceived,
    stop: () => void (isStopped = true),
  };
}

interface SendQueue {
  push(kindByte: number, ...payload: readonly Uint8Array[]): void;
  /** Payload bytes that are not sealed yet. */
  waitingBytes(): number;
  flushed(): Promise<void>;
}

/** Sends frames in the order in which they were pushed: at once where sealing does not wait. */
function createSendQueue(sealer: Sealer, transport: Transport): SendQueue {
  let last: Promise<void> | undefined;
  let waiting = 0;
  const sendAfter = async (
    before: Promise<void> | undefined,
    sealed: Promise<Bytes> | Bytes,
    bytes: number,
  ) => {
    const frame = await sealed;
    await before;
    transport.send(frame);
    waiting -= bytes;
  };
  return {
    push(kindByte, ...payload) {
      const sealed = sealer.seal(kindByte, ...payload);
      if (!last && !(sealed instanceof Promise)) return transport.send(sealed);
      const bytes = payload.reduce((sum, { length }) => sum + length, 1);
      waiting += bytes;
      const sending = sendAfter(last, sealed, bytes).finally(() => {
        if (last === sending) last = undefined;
      });
      last = sending;
    },
    waitingBytes: () => waiting,
    flushed: () => last ?? Promise.resolve(),
  };
}

/** Checks an opened frame before anyone acts on it: sender, then permission, then shape. */
function createFrameReader(options: SealedChannelOptions) {
  const { onFrame, onForbidden, onBroken } = options;
  const sender = otherSide[options.side];
  return (kindByte: number | undefined, bytes: Bytes): void => {
    const kind = frameKindOf(kindByte);
    // A newer version of the other side may know more kinds. They count in the sequence and nothing else.
    if (kind === undefined || (kind === 'rekey' && bytes.length === 0)) return;
    const { from, permission }: FrameKind = frameKinds[kind];
    if (kind === 'hello' || (from !== 'both' && from !== sender))
      return onBroken(`The ${sender} must not send a frame of the kind ${kind}.`);
    if (permission !== null && !options.permissions().has(permission)) return onForbidden(kind);
    const payload = decodePayload(kind, bytes);
    if (payload === undefined) return onBroken(`A frame of the kind ${kind} was malformed.`);
    onFrame(kind, payload);
  };
}
