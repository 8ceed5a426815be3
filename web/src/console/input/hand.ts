/** The operator's hand on the device: moves are gathered until the next picture, presses never wait, and nothing stays pressed. */
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '../../session/payloads.ts';
import type { Spot } from './geometry.ts';

export type Send = <Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>) => boolean;

export interface Hand {
  /** Only looks: nothing is sent. */
  viewOnly: boolean;
  /** Where it was last; undefined before it moved. */
  readonly place: Spot | undefined;
  /** `buttons` are those that are down now. */
  pointer(spot: Spot, buttons: number): void;
  /** In steps of a notch times 120. */
  wheel(spot: Spot, deltaX: number, deltaY: number): void;
  key(key: KeyInput): void;
  /** Presses these one after the other and lets them go in the opposite order. */
  strike(keys: readonly Omit<KeyInput, 'down'>[]): void;
  text(text: string): void;
  letGo(): void;
}

const longestText = 4_096;

export function createHand(send: Send, nextPicture: (call: () => void) => void): Hand {
  const mouse = createMouse(send, nextPicture);
  const held = new Map<string, string>();
  let viewOnly = false;

  const key = ({ down, code, key: meaning }: KeyInput): void => {
    if (viewOnly || (!down && !held.has(code))) return;
    mouse.flush();
    if (down) held.set(code, meaning);
    else held.delete(code);
    send('key', { down, code, key: meaning });
  };
  const letGo = (): void => {
    mouse.flush();
    for (const [code, meaning] of held) send('key', { down: false, code, key: meaning });
    held.clear();
    mouse.letGo();
  };
  return {
    get viewOnly() {
      return viewOnly;
    },
    set viewOnly(next) {
      letGo();
      viewOnly = next;
    },
    get place() {
      return mouse.place;
    },
    pointer: (spot, buttons) => void (viewOnly || mouse.pointer(spot, buttons)),
    wheel: (spot, deltaX, deltaY) => void (viewOnly || mouse.wheel(spot, deltaX, deltaY)),
    key,
    strike(keys) {
      for (const each of keys) key({ ...each, down: true });
      for (const each of keys.toReversed()) key({ ...each, down: false });
    },
    text(text) {
      if (viewOnly) return;
      mouse.flush();
      for (let at = 0; at < text.length; at += longestText)
        send('text', { text: text.slice(at, at + longestText) });
    },
    letGo,
  };
}

const atRest = { deltaX: 0, deltaY: 0 };

function createMouse(send: Send, nextPicture: (call: () => void) => void) {
  let place: Spot | undefined;
  let [buttons, moved, isAwaited] = [0, false, false];
  let rolled = atRest;

  const flush = (): void => {
    if (moved && place) send('pointer', { ...place, buttons });
    if (rolled !== atRest && place) send('wheel', { ...place, ...rolled });
    [moved, rolled, isAwaited] = [false, atRest, false];
  };
  const soon = (): void => {
    if (!isAwaited) nextPicture(flush);
    isAwaited = true;
  };
  return {
    flush,
    get place() {
      return place;
    },
    pointer(spot: Spot, down: number): void {
      const pressed = down !== buttons;
      if (!pressed && place?.x === spot.x && place.y === spot.y) return;
      if (pressed) flush();
      [place, buttons, moved] = [spot, down, true];
      if (pressed) flush();
      else soon();
    },
    wheel(spot: Spot, deltaX: number, deltaY: number): void {
      place = spot;
      rolled = { deltaX: rolled.deltaX + deltaX, deltaY: rolled.deltaY + deltaY };
      soon();
    },
    letGo(): void {
      if (buttons !== 0 && place) send('pointer', { ...place, buttons: 0 });
      buttons = 0;
    },
  };
}
