/** Where the picture that an operator sees begins on the device's screen: set by who shows it, read by who moves the pointer. */
import type { Leg } from './part.ts';

export interface View {
  offsetX: number;
  offsetY: number;
}

const views = new WeakMap<Leg, View>();

/** The view of this leg, for all its parts the same object. */
export function viewOf(leg: Leg): View {
  const known = views.get(leg);
  if (known) return known;
  const view: View = { offsetX: 0, offsetY: 0 };
  views.set(leg, view);
  return view;
}
