/** The operator's hand on the device: moves are gathered until the next picture, presses never wait, and nothing stays pressed. */
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '../../session/payloads.ts';
import type { ScreenPoint } from './geometry.ts';

export type SendFrame = <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>) => boolean;

export interface RemoteInput {
  /** Only looks: nothing is sent. */
  viewOnly: boolean;
  /** Where it was last; undefined before it moved. */
  readonly position: ScreenPoint | undefined;
  /** `buttons` are those that are down now. */
  pointer(point: ScreenPoint, buttons: number): void;
  /** In steps of a notch times 120. */
  wheel(point: ScreenPoint, deltaX: number, deltaY: number): void;
  key(key: KeyInput): void;
  /** Presses these one after the other and lets them go in the opposite order. */
  pressKeys(keys: readonly Omit<KeyInput, 'down'>[]): void;
  text(text: string): void;
  releaseAll(): void;
}

const longestText = 4_096;

export function createRemoteInput(send: SendFrame, nextFrame: (call: () => void) => void): RemoteInput {
  const mouse = createMouse(send, nextFrame);
  const pressedKeys = new Map<string, string>();
  let viewOnly = false;

  const key = ({ down, code, key: keyName }: KeyInput): void => {
    if (viewOnly || (!down && !pressedKeys.has(code))) return;
    mouse.flush();
    if (down) pressedKeys.set(code, keyName);
    else pressedKeys.delete(code);
    send('key', { down, code, key: keyName });
  };
  const releaseAll = (): void => {
    mouse.flush();
    for (const [code, keyName] of pressedKeys) send('key', { down: false, code, key: keyName });
    pressedKeys.clear();
    mouse.releaseAll();
  };
  return {
    get viewOnly() {
      return viewOnly;
    },
    set viewOnly(next) {
      releaseAll();
      viewOnly = next;
    },
    get position() {
      return mouse.position;
    },
    pointer: (point, buttons) => void (viewOnly || mouse.pointer(point, buttons)),
    wheel: (point, deltaX, deltaY) => void (viewOnly || mouse.wheel(point, deltaX, deltaY)),
    key,
    pressKeys(keys) {
      for (const each of keys) key({ ...each, down: true });
      for (const each of keys.toReversed()) key({ ...each, down: false });
    },
    text(text) {
      if (viewOnly) return;
      mouse.flush();
      for (let at = 0; at < text.length; at += longestText)
        send('text', { text: text.slice(at, at + longestText) });
    },
    releaseAll,
  };
}

const noDelta = { deltaX: 0, deltaY: 0 };

function createMouse(send: SendFrame, nextFrame: (call: () => void) => void) {
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
    pointer(point: ScreenPoint, down: number): void {
      const pressed = down !== buttons;
      if (!pressed && position?.x === point.x && position.y === point.y) return;
      if (pressed) flush();
      [position, buttons, moved] = [point, down, true];
      if (pressed) flush();
      else scheduleFlush();
    },
    wheel(point: ScreenPoint, deltaX: number, deltaY: number): void {
      position = point;
      wheelDelta = { deltaX: wheelDelta.deltaX + deltaX, deltaY: wheelDelta.deltaY + deltaY };
      scheduleFlush();
    },
    releaseAll(): void {
      if (buttons !== 0 && position) send('pointer', { ...position, buttons: 0 });
      buttons = 0;
    },
  };
}
