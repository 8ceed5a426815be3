/** Key combinations that the operator's own machine would intercept. */
import type { KeyInput } from '@drawbridge/contract/session/binary-frames';

export type KeyCombination = readonly Omit<KeyInput, 'down'>[];

const control = { code: 'ControlLeft', key: 'Control' };
const alt = { code: 'AltLeft', key: 'Alt' };
const shift = { code: 'ShiftLeft', key: 'Shift' };
const named = (name: string): Omit<KeyInput, 'down'> => ({ code: name, key: name });

export const backspaceKey: KeyCombination = [named('Backspace')];
export const enterKey: KeyCombination = [named('Enter')];

export const combinations: Record<string, KeyCombination> = {
  'Ctrl+Alt+Del': [control, alt, named('Delete')],
  'Alt+Tab': [alt, named('Tab')],
  'Alt+F4': [alt, named('F4')],
  'Ctrl+Shift+Esc': [control, shift, named('Escape')],
  Win: [{ code: 'MetaLeft', key: 'Meta' }],
  PrtSc: [named('PrintScreen')],
  Esc: [named('Escape')],
};

export const functionKeys: Record<string, KeyCombination> = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, [named(`F${index + 1}`)]]),
);
