/** The helper's side: serves the desktop of the signed-in person to the service that has started the helper. */
import type { Banner, Capture, Clipboard, DesktopInput } from '../../desktop.ts';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { MessageChannel } from './message-channel.ts';
import { desktopObject } from './remote-objects.ts';
import type { PathReport, WaylandDesktop } from './wayland-path.ts';

/** The methods of an object. The service is trusted, so its arguments are not checked. */
type Methods = Record<string, (...args: never[]) => unknown>;

interface DesktopOpener {
  reportPaths(): Promise<PathReport[]>;
  openDesktop(): Promise<WaylandDesktop>;
}

interface ServedDesktop {
  channel: MessageChannel;
  objects: Map<number, Methods>;
  emit(object: number, event: string, value?: unknown): void;
}

export function serveDesktop(channel: MessageChannel, opener: DesktopOpener): void {
  const objects = new Map<number, Methods>();
  const emit: ServedDesktop['emit'] = (object, event, value) => channel.send({ object, event, value });
  const served: ServedDesktop = { channel, objects, emit };
  objects.set(desktopObject, {
    detect: () => opener.reportPaths(),
    async open() {
      const desktop = await opener.openDesktop();
      objects.set(desktopObject, desktopMethods(served, desktop));
      desktop.onLayout(() => emit(desktopObject, 'layout'));
      desktop.onClose(() => {
        emit(desktopObject, 'closed', desktop.whyClosed());
        // The next turn, so that the reason is sent before the channel is closed.
        setImmediate(channel.close);
      });
      return { untold: desktop.untold };
    },
  });
  channel.onMessage((message) => void answer(served, message as ServedCall));
}

interface ServedCall {
  /** Absent if no answer is wanted. */
  id?: number;
  object: number;
  method: string;
  args: never[];
}

async function answer(
  { channel, objects }: ServedDesktop,
  { id, object, method, args }: ServedCall,
): Promise<void> {
  try {
    const value = await objects.get(object)?.[method]?.(...args);
    if (id !== undefined) channel.send({ id, value });
  } catch (error) {
    if (id !== undefined) channel.send({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

function desktopMethods(served: ServedDesktop, desktop: WaylandDesktop): Methods {
  const { objects, emit } = served;
  return {
    layout: () => desktop.layout(),
    resize: (width: number, height: number) => desktop.resize(width, height),
    capture: async (object: number) => serveCapture(served, object, await desktop.capture()),
    input: async (object: number) => serveInput(served, object, await desktop.input()),
    clipboard: async (object: number) => serveClipboard(served, object, await desktop.clipboard()),
    async shield(object: number) {
      const lower = await desktop.shield();
      objects.set(object, { lower: () => (objects.delete(object), lower()) });
    },
    banner: async (object: number, text: string) => serveBanner(served, object, await desktop.banner(text)),
    async ask(object: number, question: string, seconds: number) {
      const withdrawn = new AbortController();
      objects.set(object, { withdraw: () => withdrawn.abort() });
      return desktop.ask(question, seconds, withdrawn.signal).finally(() => objects.delete(object));
    },
    chat: (object: number, name: string, text: string) =>
      desktop.chat(name, text, (reply) => emit(object, 'reply', reply)),
  };
}

function serveCapture({ objects, emit }: ServedDesktop, object: number, capture: Capture): void {
  capture.onDamage(() => emit(object, 'damage'));
  objects.set(object, {
    damage: () => capture.damage(),
    grab: async (boxes: readonly Box[]) =>
      (await capture.grab(boxes)).map(({ box, offset, stride }) => ({ box, offset, stride })),
    watchCursor: () =>
      capture.onCursor(({ x, y, shape }) =>
        emit(object, 'cursor', {
          x,
          y,
          ...(shape && { shape: { ...shape, rgba: Buffer.from(shape.rgba).toString('base64') } }),
        }),
      ),
    close: () => (objects.delete(object), capture.close()),
  });
}

function serveInput({ objects }: ServedDesktop, object: number, input: DesktopInput): void {
  objects.set(object, {
    pointer: input.pointer,
    wheel: input.wheel,
    key: input.key,
    text: input.text,
    reset: input.reset,
    close: () => (objects.delete(object), input.close()),
  });
}

function serveClipboard({ objects, emit }: ServedDesktop, object: number, clipboard: Clipboard): void {
  clipboard.onChange((text) => emit(object, 'text', text));
  objects.set(object, {
    write: (text: string) => clipboard.write(text),
    close: () => (objects.delete(object), clipboard.close()),
  });
}

function serveBanner({ objects, emit }: ServedDesktop, object: number, banner: Banner): void {
  banner.onStop(() => emit(object, 'stop'));
  objects.set(object, {
    setText: (text: string) => banner.setText(text),
    close: () => (objects.delete(object), banner.close()),
  });
}
