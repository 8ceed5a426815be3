/** Tests of the keys that the agent presses on Windows for what the operator types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyboard, type WindowsKeyboard } from './keyboard.ts';
import type { LayoutKey } from './key-layout.ts';
import { virtualKeyOf } from './virtual-keys.ts';

const plain = { shift: false, further: false, isDead: false };

/** A part of the German layout. */
const german: Record<string, LayoutKey> = {
  a: { ...plain, code: 0x41 },
  A: { ...plain, code: 0x41, shift: true },
  c: { ...plain, code: 0x43 },
  z: { ...plain, code: 0x5a },
  ö: { ...plain, code: 0xc0 },
  '@': { ...plain, code: 0x51, further: true },
  '^': { ...plain, code: 0xdc, isDead: true },
};

/** A keyboard, and what it has sent: keys as `+code` and `-code`, characters as they are. */
function someKeyboard(isCapsLockOn = false): { keyboard: WindowsKeyboard; taken(): string[] } {
  let sent: string[] = [];
  const keyboard = createKeyboard({
    layout: () => ({ find: (character) => german[character], scanCode: () => 0 }),
    isCapsLockOn: () => isCapsLockOn,
    send: ({ code, isExtended }, down) =>
      sent.push(`${down ? '+' : '-'}${code.toString(16)}${isExtended ? 'e' : ''}`),
    sendCharacter: (character) => sent.push(character),
    secureAttention: () => sent.push('secure attention'),
  });
  const taken = (): string[] => {
    const all = sent;
    sent = [];
    return all;
  };
  return { keyboard, taken };
}

const tap = (keyboard: WindowsKeyboard, code: string, key: string): void => {
  keyboard.key(true, code, key);
  keyboard.key(false, code, key);
};

test('a character is typed with its key in the layout of the device, wherever the operator has it', () => {
  const { keyboard, taken } = someKeyboard();

  tap(keyboard, 'KeyY', 'z');
  tap(keyboard, 'Semicolon', 'ö');

  assert.deepEqual(taken(), ['+5a', '-5a', '+c0', '-c0']);
});

test('characters that need other modifiers, or that no key has, are typed as characters', () => {
  const { keyboard, taken } = someKeyboard();

  for (const character of ['@', '^', 'ж', '😀', 'A']) tap(keyboard, 'KeyQ', character);

  assert.deepEqual(taken(), ['@', '^', 'ж', '😀', 'A']);
});

test('with Shift held, a capital letter is a key; with CapsLock on, letters are characters', () => {
  const { keyboard, taken } = someKeyboard();
  keyboard.key(true, 'ShiftLeft', 'Shift');
  tap(keyboard, 'KeyA', 'A');
  keyboard.key(false, 'ShiftLeft', 'Shift');
  assert.deepEqual(taken(), ['+a0', '+41', '-41', '-a0']);

  const locked = someKeyboard(true);
  tap(locked.keyboard, 'KeyA', 'a');
  assert.deepEqual(locked.taken(), ['a']);
});

test('a shortcut presses a key even if the layout of the device lacks the character', () => {
  const { keyboard, taken } = someKeyboard();
  keyboard.key(true, 'ControlLeft', 'Control');
  tap(keyboard, 'KeyC', 'c');
  tap(keyboard, 'KeyC', 'с'); // Cyrillic

  assert.deepEqual(taken(), ['+a2', '+43', '-43', '+43', '-43']);
});

test('AltGr is released around the character that it types', () => {
  const { keyboard, taken } = someKeyboard();
  keyboard.key(true, 'ControlLeft', 'Control');
  keyboard.key(true, 'AltRight', 'AltGraph');
  tap(keyboard, 'KeyQ', '@');
  keyboard.key(false, 'AltRight', 'AltGraph');
  keyboard.key(false, 'ControlLeft', 'Control');

  assert.deepEqual(taken(), ['+a2', '-a2', '@', '+a2', '-a2']);
});

test('a held key is pressed again for each repeat and released once, also by a reset', () => {
  const { keyboard, taken } = someKeyboard();
  for (let repeat = 0; repeat < 3; repeat += 1) keyboard.key(true, 'ArrowDown', 'ArrowDown');
  keyboard.key(true, 'ShiftLeft', 'Shift');
  keyboard.releaseAll();
  keyboard.releaseAll();

  assert.deepEqual(taken(), ['+28e', '+28e', '+28e', '+a0', '-28e', '-a0']);
});

test('Ctrl+Alt+Del asks Windows for its own screen', () => {
  const { keyboard, taken } = someKeyboard();
  keyboard.key(true, 'ControlLeft', 'Control');
  keyboard.key(true, 'AltLeft', 'Alt');
  tap(keyboard, 'Delete', 'Delete');

  assert.deepEqual(taken(), ['+a2', '+a4', 'secure attention']);
});

test('text is typed with its line breaks', () => {
  const { keyboard, taken } = someKeyboard();
  keyboard.text('a\r\nж\t');

  assert.deepEqual(taken(), ['a', '+d', '-d', 'ж', '+9', '-9']);
});

test('keys of the keypad differ from the same keys elsewhere', () => {
  assert.deepEqual(virtualKeyOf('Numpad7', '7'), { code: 0x67, isExtended: false });
  assert.deepEqual(virtualKeyOf('Numpad7', 'Home'), { code: 0x24, isExtended: false });
  assert.deepEqual(virtualKeyOf('Home', 'Home'), { code: 0x24, isExtended: true });
  assert.deepEqual(virtualKeyOf('NumpadEnter', 'Enter'), { code: 0x0d, isExtended: true });
  assert.deepEqual(virtualKeyOf('F24', 'F24'), { code: 0x87, isExtended: false });
  assert.equal(virtualKeyOf('KeyA', 'a'), undefined);
  assert.equal(virtualKeyOf('', 'constructor'), undefined);
});
