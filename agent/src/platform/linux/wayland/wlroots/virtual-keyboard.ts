/** The agent's virtual keyboard on a wlroots compositor, which types what operators mean in their own layout. */
import { closeSync, writeSync } from 'node:fs';
import { isCharacter, isDeadKey, keyForText } from '../../../key-names.ts';
import { keycodes, symbolsOfCharacter, symbolsOfKey } from '../../keysyms.ts';
import { loadLibc, type Libc } from '../libc.ts';
import { newObject } from '../wire/connection.ts';
import type { CompositorContext } from '../compositor/context.ts';
import { modifierBits, positionSymbols, spareKeycodes, writeKeymap } from './keymap.ts';
import { keyboard, kinds } from '../compositor/protocol.ts';

interface VirtualKeyboard {
  key(down: boolean, code: string, key: string): void;
  text(text: string): void;
  releaseAll(): void;
  close(): void;
}

const closeOnExec = 1;
const kernelOffset = 8;
const [shiftBit, shortcutBits, altGrBits] = [1, 4 | 8 | 64, 4 | 8];

interface State {
  context: CompositorContext;
  libc: Libc;
  object: number;
  /** Keycodes of the pressed keys by the name of their position. */
  held: Map<string, number>;
  /** The symbols of spare keys; the one that was used least recently comes first. */
  spare: Map<number, number>;
  hasAltGr: boolean;
}

export async function openVirtualKeyboard(context: CompositorContext): Promise<VirtualKeyboard> {
  const libc = await loadLibc();
  const manager = context.bind(kinds.keyboards, 1)!;
  const object = context.connection.create(manager, keyboard.create, [context.seat, newObject]);
  const state: State = { context, libc, object, held: new Map(), spare: new Map(), hasAltGr: false };
  sendKeymap(state);
  return {
    key(isDown, code, key) {
      if (key === 'AltGraph') state.hasAltGr = isDown;
      if (!isDown) release(state, code);
      else if (!isDeadKey(key) && key !== 'CapsLock' && key !== 'NumLock') press(state, code, key);
    },
    text: (text) => typeText(state, text),
    releaseAll: () => releaseAll(state),
    close() {
      releaseAll(state);
      context.connection.destroy(object, keyboard.destroy);
    },
  };
}

function sendKeymap({ context, libc, object, spare }: State): void {
  const text = Buffer.from(writeKeymap(spare));
  const fd = libc.memfd_create('drawbridge-keymap', closeOnExec) as number;
  writeSync(fd, text);
  context.connection.request(object, keyboard.keymap, [keyboard.xkbText, { fd }, text.length]);
  closeSync(fd);
}

const maskOf = ({ held }: State): number =>
  [...held.keys()].reduce((mask, code) => mask | (modifierBits[code] ?? 0), 0);

const sendModifiers = ({ context, object }: State, mask: number): void =>
  context.connection.request(object, keyboard.modifiers, [mask, 0, 0, 0]);

const sendKey = ({ context, object }: State, keycode: number, isDown: boolean): void =>
  context.connection.request(object, keyboard.key, [
    Math.round(performance.now()),
    keycode - kernelOffset,
    isDown ? 1 : 0,
  ]);

function press(state: State, code: string, key: string): void {
  // The focused program repeats keys that are held.
  if (state.held.has(code)) return;
  const mask = maskOf(state);
  const isTyped = isCharacter(key);
  const isShortcut = !state.hasAltGr && (mask & shortcutBits) !== 0;
  // In a layout without Latin letters, shortcuts use the position of the key.
  const isForeign = isTyped && key.codePointAt(0)! > 0xff;
  const keycode =
    isShortcut && isForeign ? keycodes.get(code) : keycodeOf(state, symbolsFor(code, key), mask, code);
  if (keycode === undefined) return;
  // Windows reports Control and Alt as held together with AltGr.
  if (isTyped && (state.hasAltGr || code === ''))
    return tap(state, keycode, mask & ~(state.hasAltGr ? altGrBits : 0));
  state.held.set(code, keycode);
  sendKey(state, keycode, true);
  if (modifierBits[code]) sendModifiers(state, maskOf(state));
}

function release(state: State, code: string): void {
  const keycode = state.held.get(code);
  if (keycode === undefined) return;
  state.held.delete(code);
  sendKey(state, keycode, false);
  if (modifierBits[code]) sendModifiers(state, maskOf(state));
}

function releaseAll(state: State): void {
  for (const code of state.held.keys()) release(state, code);
  state.hasAltGr = false;
}

function tap(state: State, keycode: number, mask: number): void {
  sendModifiers(state, mask);
  for (const isDown of [true, false]) sendKey(state, keycode, isDown);
  sendModifiers(state, maskOf(state));
}

const symbolsFor = (code: string, key: string): readonly number[] =>
  isCharacter(key) ? symbolsOfCharacter(key) : symbolsOfKey(code, key);

/** The key that has one of the symbols while these modifiers are held: a key of the US keyboard, or a spare one. */
function keycodeOf(state: State, symbols: readonly number[], mask: number, code: string): number | undefined {
  const level = mask & shiftBit ? 1 : 0;
  const hasSymbol = (keycode: number | undefined): boolean => {
    const pair = keycode === undefined ? undefined : positionSymbols.get(keycode);
    return pair !== undefined && symbols.includes(pair[level]);
  };
  const own = keycodes.get(code);
  if (hasSymbol(own)) return own;
  const found = [...positionSymbols.keys()].find(hasSymbol);
  return found ?? (symbols[0] === undefined ? undefined : spareKeycodeOf(state, symbols[0]));
}

function spareKeycodeOf(state: State, symbol: number): number | undefined {
  const { spare, held } = state;
  const known = [...spare].find(([, each]) => each === symbol)?.[0];
  const pressed = new Set(held.values());
  const keycode =
    known ??
    spareKeycodes.find((each) => !spare.has(each)) ??
    [...spare.keys()].find((each) => !pressed.has(each));
  if (keycode === undefined) return undefined;
  spare.delete(keycode);
  spare.set(keycode, symbol);
  if (known === undefined) sendKeymap(state);
  return keycode;
}

/** Types without the modifiers that are held. */
function typeText(state: State, text: string): void {
  for (const character of text) {
    const key = keyForText(character);
    const symbols = key === undefined ? [] : symbolsFor('', key);
    const isShifted = [...positionSymbols.values()].some(
      ([plain, shifted]) => plain !== shifted && symbols.includes(shifted),
    );
    const mask = isShifted ? shiftBit : 0;
    const keycode = keycodeOf(state, symbols, mask, '');
    if (keycode !== undefined) tap(state, keycode, mask);
  }
}
