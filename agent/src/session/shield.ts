/** Who has blacked out the screen of the device: one at a time, so that nobody lifts what somebody else relies on. */

/** The black screen as one of those who are connected has it. */
export interface Shield {
  /** A sentence when it is somebody else's. */
  whyNot(): string | undefined;
  /** Nobody else raises it from now on. */
  take(): void;
  /** The screen is black; or it is not, and anybody may take the shield. Everybody is told. */
  announce(isUp: boolean): void;
}

export interface Shields {
  of(seat: number, name: string): Shield;
  isUpBy(seat: number): boolean;
}

export function createShields(changed: () => void): Shields {
  let held: { seat: number; name: string; isUp: boolean } | undefined;
  return {
    of: (seat, name) => ({
      whyNot: () => (held && held.seat !== seat ? `${held.name} has blacked out the screen.` : undefined),
      take: () => void (held = { seat, name, isUp: false }),
      announce(isUp) {
        held = isUp ? { seat, name, isUp } : undefined;
        changed();
      },
    }),
    isUpBy: (seat) => held?.seat === seat && held.isUp,
  };
}
