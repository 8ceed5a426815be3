/** Where the picture that an operator sees begins on the device's screen: set by who shows it, read by who moves the pointer. */
import type { FeatureContext } from './feature.ts';

export interface View {
  offsetX: number;
  offsetY: number;
}

const views = new WeakMap<FeatureContext, View>();

/** The view of this context, the same object for all its features. */
export function viewOf(context: FeatureContext): View {
  const known = views.get(context);
  if (known) return known;
  const view: View = { offsetX: 0, offsetY: 0 };
  views.set(context, view);
  return view;
}
