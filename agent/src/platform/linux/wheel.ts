/** Converts wheel distances to notches, because displays support only notches. */
const notch = 120;
const maxNotches = 50;

/** Calls `turn` for each whole notch; the remainder is added to the next distance. */
export function createWheel(turn: (isForward: boolean) => void): (delta: number) => void {
  let rest = 0;
  return (delta) => {
    const sum = rest + delta;
    const notches = Math.trunc(sum / notch);
    rest = sum - notches * notch;
    for (let left = Math.min(Math.abs(notches), maxNotches); left > 0; left -= 1) turn(notches > 0);
  };
}
