/** Keys for a VNC server, which takes them by what they stand for and finds them on its keyboard itself. */
import {
  altGrCodes,
  isCharacter,
  isDeadKey,
  keyForText,
  symbolsOfCharacter,
  symbolsOfKey,
} from '../keysyms.ts';

export interface VncKeyboard {
  key(down: boolean, code: string, key: string): void;
  text(text: string): void;
  /** What is pressed. */
  releaseAll(): void;
}

const unicodeSymbols = 0x0100_0000;
const shortcutCodes = [...altGrCodes, 'MetaLeft', 'MetaRight'];

export function createVncKeyboard(send: (symbol: number, down: boolean) => void): VncKeyboard {
  const held = new Map<string, number>();
  let hasAltGr = false;
  const heldOf = (codes: readonly string[]): number[] => codes.flatMap((code) => held.get(code) ?? []);

  const tap = (symbol: number): void => {
    send(symbol, true);
    send(symbol, false);
  };
  /** With AltGr Windows holds Control and Alt too, which are not meant. */
  const tapAlone = (symbol: number): void => {
    const away = heldOf(altGrCodes);
    away.forEach((each) => send(each, false));
    tap(symbol);
    away.forEach((each) => send(each, true));
  };
  const down = (code: string, key: string): void => {
    const isShortcut = !hasAltGr && heldOf(shortcutCodes).length > 0;
    const symbol = (isShortcut ? symbolOfPosition(code, key) : undefined) ?? symbolOf(code, key);
    if (symbol === undefined) return;
    if (hasAltGr && isCharacter(key)) return tapAlone(symbol);
    if (code === '') return tap(symbol);
    const before = held.get(code);
    if (before === symbol && isModifier(symbol)) return;
    if (before !== undefined && before !== symbol) send(before, false);
    held.set(code, symbol);
    // Said again while it is held: that is how a server hears of a key that repeats.
    send(symbol, true);
  };
  const up = (code: string): void => {
    const symbol = held.get(code);
    if (symbol !== undefined) send(symbol, false);
    held.delete(code);
  };

  return {
    key(isDown, code, key) {
      if (key === 'AltGraph') hasAltGr = isDown;
      if (!isDown) up(code);
      else if (!isDeadKey(key)) down(code, key);
    },
    text(text) {
      for (const character of text) {
        const key = keyForText(character);
        const symbol = key === undefined ? undefined : symbolOf('', key);
        if (symbol !== undefined) tap(symbol);
      }
    },
    releaseAll() {
      for (const symbol of held.values()) send(symbol, false);
      held.clear();
      hasAltGr = false;
    },
  };
}

const isModifier = (symbol: number): boolean => symbol >= 0xffe1 && symbol <= 0xffee;

/** Keyboards know most characters by their older symbols. */
function symbolOf(code: string, key: string): number | undefined {
  if (!isCharacter(key)) return symbolsOfKey(code, key)[0];
  const symbols = symbolsOfCharacter(key);
  return symbols.find((symbol) => symbol < unicodeSymbols) ?? symbols[0];
}

/** A shortcut typed in another script is that of its place: Ctrl and the key that others call C copies. */
function symbolOfPosition(code: string, key: string): number | undefined {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const isForeign = isCharacter(key) && key.codePointAt(0)! > 0xff;
  return letter !== undefined && isForeign ? letter.toLowerCase().codePointAt(0) : undefined;
}
