/** Compares secrets in a time that does not depend on where they differ. */
import { timingSafeEqual } from 'node:crypto';

export function timingSafeEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
