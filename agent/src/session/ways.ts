/** Both ways to an operator as one line: the relay at first, the direct way once both have moved there. */
import { createFrameSequencer } from '@drawbridge/contract/session/direct';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { openDirect, type Direct, type Helpers } from './direct.ts';
import type { Transport, RelaySocket } from './relay-socket.ts';

export interface WaysListener {
  /** Seals a word and sends it as every other frame. */
  say(word: SessionMessage<'direct'>): void;
  onFrame(frame: Uint8Array): void;
  fault(message: string): void;
  log(line: string): void;
}

export interface Ways extends Transport {
  fromRelay(frame: Uint8Array): void;
  hear(word: SessionMessage<'direct'>): void;
  /** Tells the relay how much went past it, where something did. */
  tellCount(): void;
}

export function createWays(relay: RelaySocket, helpers: Helpers | undefined, listener: WaysListener): Ways {
  let direct: Promise<Direct> | undefined;
  let opened: Direct | undefined;
  let isDirect = false;
  let over = false;
  const waiting = new Set<() => void>();
  const release = (): void => {
    waiting.forEach((resolve) => resolve());
    waiting.clear();
  };
  const order = createFrameSequencer(
    (frame) => listener.onFrame(frame),
    (why) => listener.fault(`On the direct connection ${why}.`),
  );

  const begin = (allowed: Helpers): Promise<Direct> =>
    openDirect(allowed, {
      say: (word) => over || listener.say(word),
      onFrame: (frame) => over || order.fromDirect(frame),
      onLost: () => over || listener.fault('The direct connection was lost.'),
    }).then((made) => {
      opened = made;
      made.onDrained(release);
      if (over) made.close();
      return made;
    });

  async function take(word: SessionMessage<'direct'>): Promise<void> {
    if (!helpers) return listener.say({ failed: 'Direct connections are turned off.' });
    direct ??= begin(helpers);
    (await direct).hear(word);
  }

  /** The operator has left the relay: so does this side, which may see a moment later that the way is open. */
  async function follow(): Promise<void> {
    if (!opened) return listener.fault('The operator switched to a direct connection that does not exist.');
    order.moved();
    await opened.opened;
    if (over) return;
    listener.say({ moved: 'direct' });
    isDirect = true;
    tellCount();
    listener.log('switched to the direct connection');
  }

  const tellCount = (): void => {
    if (isDirect) relay.reportDirectBytes(opened!.bytes());
  };

  return {
    fromRelay: (frame) => order.fromRelay(Uint8Array.from(frame)),
    hear(word) {
      if (word.moved === 'direct') return void follow();
      void take(word).catch((error: unknown) => {
        listener.log(`no direct connection: ${String(error)}`);
        if (!over) listener.say({ failed: 'This device cannot make a direct connection.' });
      });
    },
    send: (frame) => (isDirect ? opened!.send(frame) : relay.send(frame)),
    buffered: () => (isDirect ? opened!.buffered() : relay.buffered()),
    drained: () =>
      isDirect ? new Promise((resolve) => void (over ? resolve() : waiting.add(resolve))) : relay.drained(),
    tellCount,
    close(back) {
      over = true;
      tellCount();
      opened?.close();
      release();
      relay.close(back);
    },
  };
}
