/** The position of the operator's view on the device's screen. The screen feature sets it and the control feature reads it. */
import type { FeatureContext } from './feature.ts';

export interface ViewOffset {
  offsetX: number;
  offsetY: number;
}

const views = new WeakMap<FeatureContext, ViewOffset>();

/** The view of this context, the same object for all its features. */
export function viewOffsetOf(context: FeatureContext): ViewOffset {
  const known = views.get(context);
  if (known) return known;
  const view: ViewOffset = { offsetX: 0, offsetY: 0 };
  views.set(context, view);
  return view;
}
