/** Key combinations that the operator's own machine would intercept. */
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';

export type KeyCombination = readonly Omit<KeyInput, 'down'>[];

export const control = { code: 'ControlLeft', key: 'Control' };
export const alt = { code: 'AltLeft', key: 'Alt' };
const shift = { code: 'ShiftLeft', key: 'Shift' };
export const meta = { code: 'MetaLeft', key: 'Meta' };
const named = (name: string): Omit<KeyInput, 'down'> => ({ code: name, key: name });

export const namedKey = (name: string): KeyCombination => [named(name)];

export const combinations: Record<string, KeyCombination> = {
  'Ctrl+Alt+Del': [control, alt, named('Delete')],
  'Alt+Tab': [alt, named('Tab')],
  'Alt+F4': [alt, named('F4')],
  'Ctrl+Shift+Esc': [control, shift, named('Escape')],
  Win: [meta],
  PrtSc: namedKey('PrintScreen'),
  Esc: namedKey('Escape'),
};

export const functionKeys: Record<string, KeyCombination> = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, namedKey(`F${index + 1}`)]),
);
