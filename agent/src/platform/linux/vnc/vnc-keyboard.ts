/** Sends keys to a VNC server as keysyms; the server finds the matching keys itself. */
import { altGrCodes, isCharacter, isDeadKey, keyForText } from '../../key-names.ts';
import { symbolsOfCharacter, symbolsOfKey } from '../keysyms.ts';

export interface VncKeyboard {
  key(down: boolean, code: string, key: string): void;
  text(text: string): void;
  /** Releases all pressed keys. */
  releaseAll(): void;
}

const unicodeSymbols = 0x0100_0000;
const shortcutCodes = [...altGrCodes, 'MetaLeft', 'MetaRight'];

type SendKey = (symbol: number, down: boolean) => void;

interface State {
  send: SendKey;
  /** The symbols of the pressed keys by their code. */
  held: Map<string, number>;
  hasAltGr: boolean;
}

export function createVncKeyboard(send: SendKey): VncKeyboard {
  const state: State = { send, held: new Map(), hasAltGr: false };
  return {
    key(isDown, code, key) {
      if (key === 'AltGraph') state.hasAltGr = isDown;
      if (!isDown) keyUp(state, code);
      else if (!isDeadKey(key)) keyDown(state, code, key);
    },
    text: (text) => typeText(state, text),
    releaseAll() {
      for (const symbol of state.held.values()) send(symbol, false);
      state.held.clear();
      state.hasAltGr = false;
    },
  };
}

function keyDown(state: State, code: string, key: string): void {
  const { send, held, hasAltGr } = state;
  const isShortcut = !hasAltGr && heldOf(state, shortcutCodes).length > 0;
  const symbol = (isShortcut ? symbolOfPosition(code, key) : undefined) ?? symbolOf(code, key);
  if (symbol === undefined) return;
  if (hasAltGr && isCharacter(key)) return tapWithoutAltGr(state, symbol);
  if (code === '') return tap(send, symbol);
  const before = held.get(code);
  if (before === symbol && isModifier(symbol)) return;
  if (before !== undefined && before !== symbol) send(before, false);
  held.set(code, symbol);
  // Sent again while the key is held, because that is how a server learns of key repeats.
  send(symbol, true);
}

function keyUp({ send, held }: State, code: string): void {
  const symbol = held.get(code);
  if (symbol !== undefined) send(symbol, false);
  held.delete(code);
}

function typeText({ send }: State, text: string): void {
  for (const character of text) {
    const key = keyForText(character);
    const symbol = key === undefined ? undefined : symbolOf('', key);
    if (symbol !== undefined) tap(send, symbol);
  }
}

function tap(send: SendKey, symbol: number): void {
  send(symbol, true);
  send(symbol, false);
}

/** Releases Control and Alt for the tap, because Windows reports them as held together with AltGr. */
function tapWithoutAltGr(state: State, symbol: number): void {
  const released = heldOf(state, altGrCodes);
  released.forEach((each) => state.send(each, false));
  tap(state.send, symbol);
  released.forEach((each) => state.send(each, true));
}

const heldOf = ({ held }: State, codes: readonly string[]): number[] =>
  codes.flatMap((code) => held.get(code) ?? []);

const isModifier = (symbol: number): boolean => symbol >= 0xffe1 && symbol <= 0xffee;

/** Prefers legacy symbols, because keyboards use them for most characters. */
function symbolOf(code: string, key: string): number | undefined {
  if (!isCharacter(key)) return symbolsOfKey(code, key)[0];
  const symbols = symbolsOfCharacter(key);
  return symbols.find((symbol) => symbol < unicodeSymbols) ?? symbols[0];
}

/** Shortcuts in a non-Latin layout use the position of the key, so that Ctrl and the key at the position of C copies. */
function symbolOfPosition(code: string, key: string): number | undefined {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const isForeign = isCharacter(key) && key.codePointAt(0)! > 0xff;
  return letter !== undefined && isForeign ? letter.toLowerCase().codePointAt(0) : undefined;
}
