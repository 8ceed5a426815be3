/** Tracks which operator has blacked out the screen. Only one can, so that nobody removes what somebody else relies on. */

/** One operator's access to the black screen. */
export interface Shield {
  /** The reason if another operator has blacked out the screen. */
  whyNot(): string | undefined;
  /** Reserves the shield, so that nobody else can raise it. */
  take(): void;
  /** Tells everyone whether the screen is black. If it is not, anyone may take the shield. */
  announce(isUp: boolean): void;
}

export interface Shields {
  of(seat: number, name: string): Shield;
  isUpBy(seat: number): boolean;
}

export function createShields(onChange: () => void): Shields {
  let held: { seat: number; name: string; isUp: boolean } | undefined;
  return {
    of: (seat, name) => ({
      whyNot: () => (held && held.seat !== seat ? `${held.name} has blacked out the screen.` : undefined),
      take: () => void (held = { seat, name, isUp: false }),
      announce(isUp) {
        held = isUp ? { seat, name, isUp } : undefined;
        onChange();
      },
    }),
    isUpBy: (seat) => held?.seat === seat && held.isUp,
  };
}
