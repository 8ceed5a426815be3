/** The operator's hand on the device: moves are gathered until the next picture, presses never wait, and nothing stays pressed. */
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '../../session/payloads.ts';
import type { Spot } from './geometry.ts';

export type SendFrame = <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>) => boolean;

export interface RemoteInput {
  /** Only looks: nothing is sent. */
  viewOnly: boolean;
  /** Where it was last; undefined before it moved. */
  readonly position: Spot | undefined;
  /** `buttons` are those that are down now. */
  pointer(spot: Spot, buttons: number): void;
  /** In steps of a notch times 120. */
  wheel(spot: Spot, deltaX: number, deltaY: number): void;
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
    pointer: (spot, buttons) => void (viewOnly || mouse.pointer(spot, buttons)),
    wheel: (spot, deltaX, deltaY) => void (viewOnly || mouse.wheel(spot, deltaX, deltaY)),
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
    releaseAll: releaseAll,
  };
}

const noDelta = { deltaX: 0, deltaY: 0 };

function createMouse(send: SendFrame, nextFrame: (call: () => void) => void) {
  let position: Spot | undefined;
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
    pointer(spot: Spot, down: number): void {
      const pressed = down !== buttons;
      if (!pressed && position?.x === spot.x && position.y === spot.y) return;
      if (pressed) flush();
      [position, buttons, moved] = [spot, down, true];
      if (pressed) flush();
      else scheduleFlush();
    },
    wheel(spot: Spot, deltaX: number, deltaY: number): void {
      position = spot;
      wheelDelta = { deltaX: wheelDelta.deltaX + deltaX, deltaY: wheelDelta.deltaY + deltaY };
      scheduleFlush();
    },
    releaseAll(): void {
      if (buttons !== 0 && position) send('pointer', { ...position, buttons: 0 });
      buttons = 0;
    },
  };
}
