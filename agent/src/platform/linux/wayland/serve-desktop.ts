/** The helper's side: serves the desktop of the signed-in person to the service that has started the helper. */
import type { Banner, Capture, Clipboard, DesktopInput } from '../../desktop.ts';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { MessageChannel } from '../../helper/message-channel.ts';
import { mainObject } from '../../helper/remote-objects.ts';
import { serveObjects, type Methods, type ServedObjects } from '../../helper/serve-objects.ts';
import type { PathReport, RestoreTokens, WaylandDesktop } from './wayland-path.ts';

const closeTimeoutMs = 1_000;

interface DesktopOpener {
  reportPaths(): Promise<PathReport[]>;
  openDesktop(tokens: RestoreTokens): Promise<WaylandDesktop>;
}

export function serveDesktop(channel: MessageChannel, opener: DesktopOpener): void {
  const served = serveObjects(channel);
  const { objects, emit } = served;
  objects.set(mainObject, {
    detect: () => opener.reportPaths(),
    async open(token: string) {
      const tokens = {
        read: () => token || undefined,
        keep: (next: string) => emit(mainObject, 'token', (token = next)),
      };
      const desktop = await opener.openDesktop(tokens);
      objects.set(mainObject, desktopMethods(served, desktop));
      desktop.onLayout(() => emit(mainObject, 'layout'));
      desktop.onClose(() => {
        emit(mainObject, 'closed', desktop.whyClosed());
        // The service closes the channel when it has read the reason, which a call of its own at that moment would otherwise discard.
        setTimeout(channel.close, closeTimeoutMs);
      });
      return { untold: desktop.untold };
    },
  });
}

function desktopMethods(served: ServedObjects, desktop: WaylandDesktop): Methods {
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

function serveCapture({ objects, emit }: ServedObjects, object: number, capture: Capture): void {
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

function serveInput({ objects }: ServedObjects, object: number, input: DesktopInput): void {
  objects.set(object, {
    pointer: input.pointer,
    wheel: input.wheel,
    key: input.key,
    text: input.text,
    reset: input.reset,
    close: () => (objects.delete(object), input.close()),
  });
}

function serveClipboard({ objects, emit }: ServedObjects, object: number, clipboard: Clipboard): void {
  clipboard.onChange((text) => emit(object, 'text', text));
  objects.set(object, {
    write: (text: string) => clipboard.write(text),
    close: () => (objects.delete(object), clipboard.close()),
  });
}

function serveBanner({ objects, emit }: ServedObjects, object: number, banner: Banner): void {
  banner.onStop(() => emit(object, 'stop'));
  objects.set(object, {
    setText: (text: string) => banner.setText(text),
    close: () => (objects.delete(object), banner.close()),
  });
}
