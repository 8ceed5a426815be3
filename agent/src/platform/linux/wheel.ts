/** The wheel of a mouse: distances become notches, which is all that displays know. */
const notch = 120;
const maxNotches = 50;

/** Whole notches turn the wheel; what is left waits for more. */
export function createWheel(turn: (forth: boolean) => void): (delta: number) => void {
  let rest = 0;
  return (delta) => {
    const sum = rest + delta;
    const notches = Math.trunc(sum / notch);
    rest = sum - notches * notch;
    for (let left = Math.min(Math.abs(notches), maxNotches); left > 0; left -= 1) turn(notches > 0);
  };
}
