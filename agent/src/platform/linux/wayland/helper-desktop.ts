/** A desktop that a helper serves in a process of the signed-in person. */
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type { Banner, Capture, Clipboard, Desktop, DesktopInput } from '../../desktop.ts';
import { flagIn, textIn } from '../../helper/plain-values.ts';
import { mainObject } from '../../helper/remote-objects.ts';
import type { SharedRef } from '../../helper/ref-counted.ts';
import type { Helper } from './helper-process.ts';
import { boxesIn, cursorIn, layoutIn, pixelsIn } from './read-values.ts';

/** How long the helper may take for a question beyond the time that the person has. */
const extraTimeoutMs = 10_000;
const maxReplyLength = 2_000;

/** A helper that has opened the desktop of its person. */
export interface OpenedHelper extends Helper, Pick<Desktop, 'untold'> {}

export function createHelperDesktop({
  value: helper,
  release,
}: SharedRef<OpenedHelper>): Omit<Desktop, 'restoreSize'> {
  const { objects } = helper;
  const stops: (() => void)[] = [];
  let isOpen = true;
  return {
    layout: async () => layoutIn(await objects.call(mainObject, 'layout')),
    onLayout: (listener) =>
      void stops.push(objects.onEvent(mainObject, (event) => event === 'layout' && listener())),
    onClose: (listener) => helper.onClose(() => isOpen && listener(helper.whyClosed())),
    ...(helper.untold !== undefined && { untold: helper.untold }),
    capture: () => openCapture(helper),
    input: () => openInput(helper),
    clipboard: () => openClipboard(helper),
    resize: async (width, height) => void (await objects.call(mainObject, 'resize', [width, height])),
    async shield() {
      const object = await open(helper, 'shield');
      return async () => void (await objects.call(object, 'lower'));
    },
    banner: (text) => openBanner(helper, text),
    ask: (question, seconds, signal) => ask(helper, question, seconds, signal),
    async chat(name, text, onReply) {
      const object = objects.nextObject();
      // One listener for each message: the helper answers to the object of the last one.
      stops.push(objects.onEvent(object, (_, value) => onReply(textIn(value, maxReplyLength))));
      await objects.call(mainObject, 'chat', [object, name, text]);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      for (const stop of stops) stop();
      release();
    },
  };
}

async function open({ objects }: Helper, method: string, ...args: unknown[]): Promise<number> {
  const object = objects.nextObject();
  await objects.call(mainObject, method, [object, ...args]);
  return object;
}

async function openCapture(helper: Helper): Promise<Capture> {
  const { objects, memory } = helper;
  const object = await open(helper, 'capture');
  const stops: (() => void)[] = [];
  let isOpen = true;
  helper.countCapture(1);
  return {
    damage: async () => boxesIn(await objects.call(object, 'damage')),
    grab: async (boxes) => pixelsIn(await objects.call(object, 'grab', [boxes]), memory.words),
    onDamage(listener) {
      stops.push(objects.onEvent(object, (event) => event === 'damage' && listener()));
      // The next call of `damage` then throws the reason.
      helper.onClose(() => isOpen && listener());
    },
    onCursor(listener) {
      stops.push(objects.onEvent(object, (event, value) => event === 'cursor' && listener(cursorIn(value))));
      objects.tell(object, 'watchCursor');
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      for (const stop of stops) stop();
      objects.tell(object, 'close');
      helper.countCapture(-1);
    },
  };
}

async function openInput(helper: Helper): Promise<DesktopInput> {
  const object = await open(helper, 'input');
  const tell = (method: string, ...args: unknown[]): void => helper.objects.tell(object, method, args);
  return {
    pointer: (x, y, buttons) => tell('pointer', x, y, buttons),
    wheel: (deltaX, deltaY) => tell('wheel', deltaX, deltaY),
    key: (down, code, key) => tell('key', down, code, key),
    text: (text) => tell('text', text),
    reset: () => tell('reset'),
    close: () => tell('close'),
  };
}

async function openClipboard(helper: Helper): Promise<Clipboard> {
  const object = await open(helper, 'clipboard');
  const stops: (() => void)[] = [];
  return {
    onChange: (listener) =>
      void stops.push(
        helper.objects.onEvent(
          object,
          (event, value) => event === 'text' && listener(textIn(value, maxFrameBytes)),
        ),
      ),
    write: (text) => helper.objects.tell(object, 'write', [text]),
    close() {
      for (const stop of stops) stop();
      helper.objects.tell(object, 'close');
    },
  };
}

async function openBanner(helper: Helper, text: string): Promise<Banner> {
  const object = await open(helper, 'banner', text);
  const stops: (() => void)[] = [];
  return {
    onStop: (listener) =>
      void stops.push(helper.objects.onEvent(object, (event) => event === 'stop' && listener())),
    setText: (changed) => helper.objects.tell(object, 'setText', [changed]),
    close() {
      for (const stop of stops) stop();
      helper.objects.tell(object, 'close');
    },
  };
}

async function ask(
  { objects }: Helper,
  question: string,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (signal?.aborted) return false;
  const object = objects.nextObject();
  const withdraw = (): void => objects.tell(object, 'withdraw');
  signal?.addEventListener('abort', withdraw, { once: true });
  const timeoutMs = seconds * 1_000 + extraTimeoutMs;
  try {
    return flagIn(await objects.call(mainObject, 'ask', [object, question, seconds], { timeoutMs }));
  } finally {
    signal?.removeEventListener('abort', withdraw);
  }
}
