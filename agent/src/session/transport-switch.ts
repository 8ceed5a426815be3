/** Both transports to an operator as one: the relay at first, the direct transport once both sides have switched to it. */
import { createFrameSequencer } from '@drawbridge/contract/session/direct';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { openDirectTransport, type DirectTransport, type IceServers } from './direct-transport.ts';
import type { Transport, RelaySocket } from './relay-socket.ts';

export interface TransportSwitchListener {
  /** Seals a word and sends it as every other frame. */
  sendSignal(word: SessionMessage<'direct'>): void;
  onFrame(frame: Uint8Array): void;
  fault(message: string): void;
  log(line: string): void;
}

export interface TransportSwitch extends Transport {
  fromRelay(frame: Uint8Array): void;
  receiveSignal(word: SessionMessage<'direct'>): void;
  /** Tells the relay how much went past it, where something did. */
  reportDirectBytes(): void;
}

export function createTransportSwitch(
  relay: RelaySocket,
  iceServers: IceServers | undefined,
  listener: TransportSwitchListener,
): TransportSwitch {
  let direct: Promise<DirectTransport> | undefined;
  let opened: DirectTransport | undefined;
  let isDirect = false;
  let isClosed = false;
  const waiting = new Set<() => void>();
  const release = (): void => {
    waiting.forEach((resolve) => resolve());
    waiting.clear();
  };
  const order = createFrameSequencer(
    (frame) => listener.onFrame(frame),
    (why) => listener.fault(`On the direct connection ${why}.`),
  );

  const openDirect = (allowed: IceServers): Promise<DirectTransport> =>
    openDirectTransport(allowed, {
      sendSignal: (word) => isClosed || listener.sendSignal(word),
      onFrame: (frame) => isClosed || order.fromDirect(frame),
      onLost: () => isClosed || listener.fault('The direct connection was lost.'),
    }).then((made) => {
      opened = made;
      made.onDrained(release);
      if (isClosed) made.close();
      return made;
    });

  async function negotiate(word: SessionMessage<'direct'>): Promise<void> {
    if (!iceServers) return listener.sendSignal({ failed: 'Direct connections are turned off.' });
    direct ??= openDirect(iceServers);
    (await direct).receiveSignal(word);
  }

  /** The operator has left the relay: so does this side, which may see a moment later that the way is open. */
  async function switchToDirect(): Promise<void> {
    if (!opened) return listener.fault('The operator switched to a direct connection that does not exist.');
    order.moved();
    await opened.opened;
    if (isClosed) return;
    listener.sendSignal({ moved: 'direct' });
    isDirect = true;
    reportDirectBytes();
    listener.log('switched to the direct connection');
  }

  const reportDirectBytes = (): void => {
    if (isDirect) relay.reportDirectBytes(opened!.bytes());
  };

  return {
    fromRelay: (frame) => order.fromRelay(Uint8Array.from(frame)),
    receiveSignal(word) {
      if (word.moved === 'direct') return void switchToDirect();
      void negotiate(word).catch((error: unknown) => {
        listener.log(`no direct connection: ${String(error)}`);
        if (!isClosed) listener.sendSignal({ failed: 'This device cannot make a direct connection.' });
      });
    },
    send: (frame) => (isDirect ? opened!.send(frame) : relay.send(frame)),
    buffered: () => (isDirect ? opened!.buffered() : relay.buffered()),
    drained: () =>
      isDirect
        ? new Promise((resolve) => void (isClosed ? resolve() : waiting.add(resolve)))
        : relay.drained(),
    reportDirectBytes,
    close(back) {
      isClosed = true;
      reportDirectBytes();
      opened?.close();
      release();
      relay.close(back);
    },
  };
}
