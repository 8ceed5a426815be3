/** The rules of sticky modifiers: a tap holds one for the next key, a double tap until it is tapped again. */

export const modifiers = ['control', 'alt', 'super'] as const;
export type Modifier = (typeof modifiers)[number];
export type ModifierState = 'off' | 'once' | 'locked';

export interface StickyModifiers {
  stateOf(modifier: Modifier): ModifierState;
  /** `now` is in milliseconds of a monotonic clock. */
  tap(modifier: Modifier, now: number): void;
  /** Ends those that were held for one key. */
  use(): void;
  drop(modifier: Modifier): void;
  clear(): void;
}

const doubleTapMs = 400;

export function createStickyModifiers(): StickyModifiers {
  const states = new Map<Modifier, Exclude<ModifierState, 'off'>>();
  const tappedAt = new Map<Modifier, number>();
  const stateOf = (modifier: Modifier): ModifierState => states.get(modifier) ?? 'off';
  return {
    stateOf,
    tap(modifier, now) {
      const isDouble = now - (tappedAt.get(modifier) ?? -Infinity) <= doubleTapMs;
      const before = stateOf(modifier);
      if (before === 'off') states.set(modifier, 'once');
      else if (before === 'once' && isDouble) states.set(modifier, 'locked');
      else states.delete(modifier);
      tappedAt.set(modifier, now);
    },
    use() {
      for (const [modifier, state] of states) if (state === 'once') states.delete(modifier);
    },
    drop: (modifier) => void states.delete(modifier),
    clear: () => states.clear(),
  };
}
