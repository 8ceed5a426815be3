/** The operator's pointer on the device's screen. The control feature moves it, and drags of files follow it. */
import type { FeatureContext } from './feature.ts';

export interface OperatorPointer {
  x: number;
  y: number;
  /** The mask of the buttons that the operator holds. */
  buttons: number;
  /** When the operator pressed the first of them, as a time of `performance.now`. */
  pressedAt: number;
  /** Called before the display learns of a change. */
  onChange: (() => void) | undefined;
}

const pointers = new WeakMap<FeatureContext, OperatorPointer>();

/** The pointer of this context, the same object for all its features. */
export function operatorPointerOf(context: FeatureContext): OperatorPointer {
  const known = pointers.get(context);
  if (known) return known;
  const pointer: OperatorPointer = { x: 0, y: 0, buttons: 0, pressedAt: 0, onChange: undefined };
  pointers.set(context, pointer);
  return pointer;
}

export function updatePointer(
  pointer: OperatorPointer,
  { x, y, buttons }: Pick<OperatorPointer, 'x' | 'y' | 'buttons'>,
): void {
  if (pointer.buttons === 0 && buttons !== 0) pointer.pressedAt = performance.now();
  Object.assign(pointer, { x, y, buttons });
  pointer.onChange?.();
}
