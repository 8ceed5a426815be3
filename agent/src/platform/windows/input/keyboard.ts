/** Presses keys so that the device receives what the operator meant, whatever the keyboard layouts of both sides are. */
import { altGrCodes, isCharacter, isDeadKey, keyForText } from '../../key-names.ts';
import type { KeyLayout } from './key-layout.ts';
import { virtualKeyAt, virtualKeyOf, type VirtualKey } from './virtual-keys.ts';

/** What the keyboard does to the system. */
export interface KeySink {
  layout(): KeyLayout;
  isCapsLockOn(): boolean;
  send(key: VirtualKey, down: boolean): void;
  sendCharacter(character: string): void;
  /** Shows the screen that Windows shows for Ctrl+Alt+Del, which no simulated key can do. */
  secureAttention(): void;
}

export interface WindowsKeyboard {
  key(down: boolean, code: string, key: string): void;
  text(text: string): void;
  releaseAll(): void;
}

interface State {
  sink: KeySink;
  /** The pressed keys by KeyboardEvent.code. */
  held: Map<string, VirtualKey>;
  hasAltGr: boolean;
}

const shiftCodes = ['ShiftLeft', 'ShiftRight'];
const controlCodes = ['ControlLeft', 'ControlRight'];
const altCodes = ['AltLeft', 'AltRight'];
const shortcutCodes = [...altGrCodes, 'MetaLeft', 'MetaRight'];

export function createKeyboard(sink: KeySink): WindowsKeyboard {
  const state: State = { sink, held: new Map(), hasAltGr: false };
  return {
    key(isDown, code, key) {
      if (key === 'AltGraph') state.hasAltGr = isDown;
      if (!isDown) keyUp(state, code);
      else if (!isDeadKey(key)) keyDown(state, code, key);
    },
    text(text) {
      for (const character of text.replaceAll('\r\n', '\n')) typeCharacter(state, character);
    },
    releaseAll() {
      for (const code of state.held.keys()) keyUp(state, code);
      state.hasAltGr = false;
    },
  };
}

function keyDown(state: State, code: string, key: string): void {
  if (key === 'Delete' && isHeld(state, controlCodes) && isHeld(state, altCodes))
    return state.sink.secureAttention();
  const named = virtualKeyOf(code, key);
  if (named) return hold(state, code, named);
  if (isCharacter(key)) pressCharacter(state, code, key);
}

function pressCharacter(state: State, code: string, character: string): void {
  const found = state.sink.layout().find(character);
  const isShortcut = !state.hasAltGr && isHeld(state, shortcutCodes);
  if (isShortcut) {
    const key = found ? { code: found.code, isExtended: false } : virtualKeyAt(code);
    if (key) return hold(state, code, key);
  }
  const isExact =
    found && !found.further && !found.isDead && found.shift === isHeld(state, shiftCodes) && !state.hasAltGr;
  if (isExact && !mayCompose.test(character) && !state.sink.isCapsLockOn())
    return hold(state, code, { code: found.code, isExtended: false });
  withoutModifiers(state, () => state.sink.sendCharacter(character));
}

/** Characters that are on dead keys of some layouts, where the key alone types nothing. */
const mayCompose = /[\^`´¨~°"'¸]/;

/** Releases AltGr around the character, because programs would take it for a shortcut. */
function withoutModifiers({ sink, held, hasAltGr }: State, work: () => void): void {
  const released = hasAltGr ? altGrCodes.flatMap((code) => held.get(code) ?? []) : [];
  released.forEach((key) => sink.send(key, false));
  work();
  released.forEach((key) => sink.send(key, true));
}

/** Pressed again while it is held, because that is how programs learn of key repeats. */
function hold({ sink, held }: State, code: string, key: VirtualKey): void {
  const before = held.get(code);
  if (before && before.code !== key.code) sink.send(before, false);
  sink.send(key, true);
  held.set(code, key);
}

function keyUp({ sink, held }: State, code: string): void {
  const key = held.get(code);
  if (key) sink.send(key, false);
  held.delete(code);
}

function typeCharacter({ sink }: State, character: string): void {
  const key = keyForText(character);
  const named = key === undefined ? undefined : virtualKeyOf('', key);
  if (named) {
    sink.send(named, true);
    sink.send(named, false);
  } else if (key !== undefined) sink.sendCharacter(key);
}

const isHeld = ({ held }: State, codes: readonly string[]): boolean => codes.some((code) => held.has(code));
