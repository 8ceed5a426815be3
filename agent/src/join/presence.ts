/** Who is connected at this moment, noticed by the parts of their sessions. */
import type { Leg, Part, PartOf } from '../session/part.ts';

export interface Presence {
  arrived(leg: Leg): void;
  left(leg: Leg): void;
}

/** The same parts; the first of a session that starts tells who has come, the first that stops who has gone. */
export function withPresence(parts: readonly PartOf[], { arrived, left }: Presence): PartOf[] {
  const present = new Set<Leg>();
  return parts.map((make) => (leg): Part => {
    const part = make(leg);
    return {
      ...part,
      start() {
        if (!present.has(leg)) {
          present.add(leg);
          arrived(leg);
        }
        return part.start?.();
      },
      stop() {
        if (present.delete(leg)) left(leg);
        return part.stop();
      },
    };
  });
}
