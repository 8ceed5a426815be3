/** A desktop that a helper serves in another process. */
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import type { Banner, Capture, Clipboard, Desktop, DesktopInput } from '../../desktop.ts';
import { flagIn, textIn } from '../plain-values.ts';
import { mainObject, type RemoteObjects } from '../remote-objects.ts';
import type { Closable, SharedRef } from '../ref-counted.ts';
import { boxesIn, cursorIn, layoutIn, pixelsIn } from './desktop-values.ts';

/** How long the helper may take for a question beyond the time that the person has. */
const extraTimeoutMs = 10_000;
const maxReplyLength = 2_000;

/** A connection to a helper that has opened its desktop. */
export interface DesktopConnection extends Closable, Pick<Desktop, 'untold'> {
  objects: RemoteObjects;
  memory: { words: Uint32Array };
  /** The memory stays mapped until the last capture is closed, because an encoder may still read it. */
  countCapture(change: 1 | -1): void;
  whyClosed(): string;
}

export function createHelperDesktop({
  value: helper,
  release,
}: SharedRef<DesktopConnection>): Omit<Desktop, 'restoreSize'> {
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
    ask: async (question, seconds, signal) =>
      flagIn(await showUntil(helper, { method: 'ask', text: question, seconds, signal })),
    inform: async (message, seconds, signal) =>
      void (await showUntil(helper, { method: 'inform', text: message, seconds, signal })),
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

async function open({ objects }: DesktopConnection, method: string, ...args: unknown[]): Promise<number> {
  const object = objects.nextObject();
  await objects.call(mainObject, method, [object, ...args]);
  return object;
}

async function openCapture(helper: DesktopConnection): Promise<Capture> {
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

async function openInput(helper: DesktopConnection): Promise<DesktopInput> {
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

async function openClipboard(helper: DesktopConnection): Promise<Clipboard> {
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

async function openBanner(helper: DesktopConnection, text: string): Promise<Banner> {
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

interface PersonText {
  method: 'ask' | 'inform';
  text: string;
  seconds: number;
  signal: AbortSignal | undefined;
}

/** Resolves with the answer of the person; with false if the signal is aborted before it is shown. */
async function showUntil(
  { objects }: DesktopConnection,
  { method, text, seconds, signal }: PersonText,
): Promise<unknown> {
  if (signal?.aborted) return false;
  const object = objects.nextObject();
  const withdraw = (): void => objects.tell(object, 'withdraw');
  signal?.addEventListener('abort', withdraw, { once: true });
  const timeoutMs = seconds * 1_000 + extraTimeoutMs;
  try {
    return await objects.call(mainObject, method, [object, text, seconds], { timeoutMs });
  } finally {
    signal?.removeEventListener('abort', withdraw);
  }
}
