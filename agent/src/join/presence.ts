/** Tracks which operators are connected, by wrapping the features of their sessions. */
import type { FeatureContext, Feature, FeatureFactory } from '../session/feature.ts';

export interface PresenceListener {
  arrived(context: FeatureContext): void;
  left(context: FeatureContext): void;
}

/** Returns the same features. The first one of a session to start reports the arrival, the first one to stop the departure. */
export function trackPresence(
  features: readonly FeatureFactory[],
  { arrived, left }: PresenceListener,
): FeatureFactory[] {
  const present = new Set<FeatureContext>();
  return features.map((make) => (context): Feature => {
    const feature = make(context);
    return {
      ...feature,
      start() {
        if (!present.has(context)) {
          present.add(context);
          arrived(context);
        }
        return feature.start?.();
      },
      stop() {
        if (present.delete(context)) left(context);
        return feature.stop();
      },
    };
  });
}
