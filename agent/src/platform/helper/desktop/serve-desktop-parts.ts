/** The helper's side of a desktop: what the agent calls, and what it is told. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Banner, Capture, Clipboard, Desktop, DesktopInput } from '../../desktop.ts';
import type { Methods, ServedObjects } from '../serve-objects.ts';

type ServedDesktop = Pick<
  Desktop,
  'layout' | 'resize' | 'capture' | 'input' | 'clipboard' | 'shield' | 'banner' | 'ask' | 'inform' | 'chat'
>;

export function desktopMethods(served: ServedObjects, desktop: ServedDesktop): Methods {
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
    ask: (object: number, question: string, seconds: number) =>
      untilWithdrawn(served, object, (signal) => desktop.ask(question, seconds, signal)),
    inform: (object: number, message: string, seconds: number) =>
      untilWithdrawn(served, object, (signal) => desktop.inform(message, seconds, signal)),
    chat: (object: number, name: string, text: string) =>
      desktop.chat(name, text, (reply) => emit(object, 'reply', reply)),
  };
}

function untilWithdrawn<Result>(
  { objects }: ServedObjects,
  object: number,
  show: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const withdrawn = new AbortController();
  objects.set(object, { withdraw: () => withdrawn.abort() });
  return show(withdrawn.signal).finally(() => objects.delete(object));
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
