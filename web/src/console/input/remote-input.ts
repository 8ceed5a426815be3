/** Sends mouse and keyboard input. Moves are sent once per frame, presses at once, and nothing stays pressed. */
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '@drawbridge/session/payloads';
import type { ScreenPoint } from './geometry.ts';

export type SendFrame = <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>) => boolean;

export interface RemoteInput {
  /** While true, nothing is sent. Setting it releases everything. */
  viewOnly: boolean;
  /** The last position of the pointer; undefined before it moved. */
  readonly position: ScreenPoint | undefined;
  /** `buttons` is the mask of the buttons that are down now. */
  pointer(point: ScreenPoint, buttons: number): void;
  /** The unit is 1/120 of a notch. */
  wheel(point: ScreenPoint, deltaX: number, deltaY: number): void;
  key(key: KeyInput): void;
  /** Presses the keys one after the other and releases them in reverse order. */
  pressKeys(keys: readonly Omit<KeyInput, 'down'>[]): void;
  text(text: string): void;
  releaseAll(): void;
}

const maxTextLength = 4_096;

interface InputState {
  send: SendFrame;
  mouse: RemoteMouse;
  /** Key names by key code. */
  pressedKeys: Map<string, string>;
  viewOnly: boolean;
}

export function createRemoteInput(send: SendFrame, nextFrame: (call: () => void) => void): RemoteInput {
  const mouse = createMouse(send, nextFrame);
  const state: InputState = { send, mouse, pressedKeys: new Map(), viewOnly: false };
  return {
    get viewOnly() {
      return state.viewOnly;
    },
    set viewOnly(next) {
      releaseAll(state);
      state.viewOnly = next;
    },
    get position() {
      return mouse.position;
    },
    pointer: (point, buttons) => void (state.viewOnly || mouse.pointer(point, buttons)),
    wheel: (point, deltaX, deltaY) => void (state.viewOnly || mouse.wheel(point, deltaX, deltaY)),
    key: (key) => sendKey(state, key),
    pressKeys(keys) {
      for (const each of keys) sendKey(state, { ...each, down: true });
      for (const each of keys.toReversed()) sendKey(state, { ...each, down: false });
    },
    text: (text) => sendText(state, text),
    releaseAll: () => releaseAll(state),
  };
}

function sendKey({ send, mouse, pressedKeys, viewOnly }: InputState, { down, code, key }: KeyInput): void {
  if (viewOnly || (!down && !pressedKeys.has(code))) return;
  mouse.flush();
  if (down) pressedKeys.set(code, key);
  else pressedKeys.delete(code);
  send('key', { down, code, key });
}

function sendText({ send, mouse, viewOnly }: InputState, text: string): void {
  if (viewOnly) return;
  mouse.flush();
  for (let at = 0; at < text.length; at += maxTextLength)
    send('text', { text: text.slice(at, at + maxTextLength) });
}

function releaseAll({ send, mouse, pressedKeys }: InputState): void {
  mouse.flush();
  for (const [code, key] of pressedKeys) send('key', { down: false, code, key });
  pressedKeys.clear();
  mouse.releaseAll();
}

interface RemoteMouse extends Pick<RemoteInput, 'position' | 'pointer' | 'wheel' | 'releaseAll'> {
  /** Sends what waits for the next frame. */
  flush(): void;
}

const noDelta = { deltaX: 0, deltaY: 0 };

function createMouse(send: SendFrame, nextFrame: (call: () => void) => void): RemoteMouse {
  let position: ScreenPoint | undefined;
  let [buttons, moved, isScheduled] = [0, false, false];
  let wheelDelta = noDelta;

  const flush = (): void => {
    if (moved && position) send('pointer', { ...position, buttons });
    if (wheelDelta !== noDelta && position) send('wheel', { ...position, ...wheelDelta });
    [moved, wheelDelta, isScheduled] = [false, noDelta, false];
  };
  const scheduleFlush = (): void => {
    if (!isScheduled) nextFrame(flush);
    isScheduled = true;
  };
  return {
    flush,
    get position() {
      return position;
    },
    pointer(point, down) {
      const pressed = down !== buttons;
      if (!pressed && position?.x === point.x && position.y === point.y) return;
      if (pressed) flush();
      [position, buttons, moved] = [point, down, true];
      if (pressed) flush();
      else scheduleFlush();
    },
    wheel(point, deltaX, deltaY) {
      position = point;
      wheelDelta = { deltaX: wheelDelta.deltaX + deltaX, deltaY: wheelDelta.deltaY + deltaY };
      scheduleFlush();
    },
    releaseAll() {
      if (buttons !== 0 && position) send('pointer', { ...position, buttons: 0 });
      buttons = 0;
    },
  };
}
