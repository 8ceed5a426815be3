/** A frame whose content is not of its kind's shape: it comes from no honest operator, and ends the session. */
import type { KindName } from '@drawbridge/contract/session/kinds';

export class Misshapen extends Error {}

export function misshapen(kind: KindName): never {
  throw new Misshapen(`A frame of the kind ${kind} was malformed.`);
}
