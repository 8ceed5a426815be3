/** Compares what a visitor brought with what is right, in a time that tells nothing of where they differ. */
import { timingSafeEqual } from 'node:crypto';

export function timingSafeEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
