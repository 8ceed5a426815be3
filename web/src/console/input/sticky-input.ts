/** Mouse and keyboard input with sticky modifiers: they are pressed on the device as long as they are held here. */
import type { RemoteInput } from './remote-input.ts';
import { alt, control, meta, type KeyCombination } from './special-keys.ts';
import { createStickyModifiers, modifiers, type Modifier, type ModifierState } from './sticky-modifiers.ts';

export interface StickyInput extends RemoteInput {
  stateOf(modifier: Modifier): ModifierState;
  /** `now` is in milliseconds of a monotonic clock. */
  tapModifier(modifier: Modifier, now: number): void;
  /** The modifiers that the next key ends. */
  heldOnce(): KeyCombination;
  hasModifiers(): boolean;
  onModifiers(listener: () => void): void;
}

const keys: Record<Modifier, KeyCombination[number]> = { control, alt, super: meta };

const modifierOf = (code: string): Modifier | undefined => modifiers.find((each) => keys[each].code === code);

/** The key of a character, so that a device with another keyboard layout finds the key of a shortcut by its position. */
function keyOf(character: string): KeyCombination[number] {
  if (/^[a-z]$/i.test(character)) return { code: `Key${character.toUpperCase()}`, key: character };
  if (/^\d$/.test(character)) return { code: `Digit${character}`, key: character };
  return { code: character === ' ' ? 'Space' : '', key: character };
}

interface StickyState {
  inner: RemoteInput;
  sticky: ReturnType<typeof createStickyModifiers>;
  /** Those that are pressed on the device. */
  pressed: Set<Modifier>;
  buttons: number;
  listeners: Set<() => void>;
}

export function createStickyInput(inner: RemoteInput): StickyInput {
  const sticky = createStickyModifiers();
  const state: StickyState = { inner, sticky, pressed: new Set(), buttons: 0, listeners: new Set() };
  const isHeld = (modifier: Modifier): boolean => sticky.stateOf(modifier) !== 'off';
  return {
    get viewOnly() {
      return inner.viewOnly;
    },
    set viewOnly(next) {
      releaseAll(state);
      inner.viewOnly = next;
    },
    get position() {
      return inner.position;
    },
    pointer: (point, buttons) => sendPointer(state, point, buttons),
    wheel: inner.wheel,
    key: (key) => sendKey(state, key),
    pressKeys: (combination) => pressKeys(state, combination),
    text: (text) => sendText(state, text),
    releaseAll: () => releaseAll(state),
    stateOf: sticky.stateOf,
    tapModifier(modifier, now) {
      if (!inner.viewOnly) sticky.tap(modifier, now);
      applyModifiers(state);
    },
    heldOnce: () =>
      modifiers.filter((each) => sticky.stateOf(each) === 'once').map((modifier) => keys[modifier]),
    hasModifiers: () => modifiers.some(isHeld),
    onModifiers: (listener) => void state.listeners.add(listener),
  };
}

/** Presses and releases on the device what has changed here. */
function applyModifiers({ inner, sticky, pressed, listeners }: StickyState): void {
  for (const modifier of modifiers) {
    const down = sticky.stateOf(modifier) !== 'off';
    if (down === pressed.has(modifier)) continue;
    inner.key({ down, ...keys[modifier] });
    if (down) pressed.add(modifier);
    else pressed.delete(modifier);
  }
  for (const listener of listeners) listener();
}

function sendKey(state: StickyState, key: Parameters<RemoteInput['key']>[0]): void {
  const { inner, sticky } = state;
  inner.key(key);
  if (key.down) return;
  const modifier = modifierOf(key.code);
  // A key of a real keyboard, or of a combination, has released it.
  if (modifier) sticky.drop(modifier);
  else sticky.use();
  applyModifiers(state);
}

function pressKeys(state: StickyState, combination: KeyCombination): void {
  for (const each of combination) sendKey(state, { ...each, down: true });
  for (const each of combination.toReversed()) sendKey(state, { ...each, down: false });
}

/** With a modifier, characters are sent as keys, because they are a shortcut and not a text. */
function sendText(state: StickyState, text: string): void {
  const { inner, sticky } = state;
  const isShortcut = (): boolean => modifiers.some((each) => sticky.stateOf(each) !== 'off');
  const characters = [...text];
  while (characters.length > 0 && isShortcut()) pressKeys(state, [keyOf(characters.shift()!)]);
  if (characters.length > 0) inner.text(characters.join(''));
}

/** A click uses the modifiers as a key does. */
function sendPointer(state: StickyState, point: { x: number; y: number }, buttons: number): void {
  const isReleased = state.buttons !== 0 && buttons === 0;
  state.inner.pointer(point, buttons);
  state.buttons = buttons;
  if (!isReleased) return;
  state.sticky.use();
  applyModifiers(state);
}

function releaseAll(state: StickyState): void {
  state.inner.releaseAll();
  state.buttons = 0;
  state.pressed.clear();
  state.sticky.clear();
  applyModifiers(state);
}
