/** The keymap of the agent's virtual keyboard: the keys of a US keyboard, and spare keys for everything else that operators type. */
import { keycodes, symbolsOfKey } from '../../keysyms.ts';

/** The two characters of a key, without and with Shift, by the names of browsers. */
const characters: Record<string, string> = {
  ...Object.fromEntries(
    [...'abcdefghijklmnopqrstuvwxyz'].map((a) => [`Key${a.toUpperCase()}`, a + a.toUpperCase()]),
  ),
  ...Object.fromEntries(
    [...'1!2@3#4$5%6^7&8*9(0)'.matchAll(/../g)].map(([pair]) => [`Digit${pair[0]}`, pair]),
  ),
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Semicolon: ';:',
  Quote: `'"`,
  Backquote: '`~',
  Backslash: '\\|',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
};

/** The bits of the modifiers in the protocol, by the names of keys. */
export const modifierBits: Record<string, number> = {
  ShiftLeft: 1,
  ShiftRight: 1,
  ControlLeft: 4,
  ControlRight: 4,
  AltLeft: 8,
  AltRight: 8,
  MetaLeft: 64,
  MetaRight: 64,
};

const modifierNames: Record<number, string> = { 1: 'Shift', 4: 'Control', 8: 'Mod1', 64: 'Mod4' };

/** The symbols of a key, without and with Shift. */
type KeySymbols = readonly [plain: number, shifted: number];

function symbolsOfPosition(code: string): KeySymbols | undefined {
  const pair = characters[code];
  if (pair) return [pair.codePointAt(0)!, pair.codePointAt(1)!];
  const key = /^Numpad\d$/.test(code) ? code.slice(-1) : code.replace(/^Numpad|(Left|Right)$/g, '');
  const [symbol] = symbolsOfKey(code, code.startsWith('Arrow') ? code : key);
  return symbol === undefined ? undefined : [symbol, symbol];
}

/** By keycode, which is the kernel's number of the key plus 8. */
export const positionSymbols: ReadonlyMap<number, KeySymbols> = new Map(
  [...keycodes].flatMap(([code, keycode]) => {
    const symbols = symbolsOfPosition(code);
    return symbols ? [[keycode, symbols] as const] : [];
  }),
);

/** Keys that no position uses. XWayland knows no higher ones. */
export const spareKeycodes: readonly number[] = Array.from({ length: 112 }, (_, index) => 144 + index);

const nameOf = (keycode: number): string => `<K${keycode}>`;

const toHex = (symbol: number): string => `0x${symbol.toString(16)}`;

/** Writes the keymap as text for xkbcommon. */
export function writeKeymap(spare: ReadonlyMap<number, number>): string {
  const keys = new Map([
    ...positionSymbols,
    ...[...spare].map(([code, symbol]) => [code, [symbol, symbol]] as const),
  ]);
  const names = [...keys.keys()].map((keycode) => `${nameOf(keycode)} = ${keycode};`);
  const symbols = [...keys].map(
    ([keycode, pair]) => `key ${nameOf(keycode)} { [ ${pair.map(toHex).join(', ')} ] };`,
  );
  const modifiers = Object.entries(modifierBits).map(
    ([code, bit]) => `modifier_map ${modifierNames[bit]} { ${nameOf(keycodes.get(code)!)} };`,
  );
  return `xkb_keymap {
xkb_keycodes { minimum = 8; maximum = 255; ${names.join(' ')} };
xkb_types { include "complete" };
xkb_compatibility { include "complete" };
xkb_symbols { ${[...symbols, ...modifiers].join('\n')} };
};\0`;
}
