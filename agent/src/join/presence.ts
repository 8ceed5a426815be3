/** Who is connected at this moment, noticed by the features of their sessions. */
import type { FeatureContext, Feature, FeatureFactory } from '../session/feature.ts';

export interface PresenceListener {
  arrived(context: FeatureContext): void;
  left(context: FeatureContext): void;
}

/** The same features; the first of a session that starts tells who has come, the first that stops who has gone. */
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
