/** Reads plain values that a helper has sent. They are bounded, because its process belongs to the signed-in person and is not trusted. */
import { NotPossible } from '../platform.ts';

export function refuseValue(): never {
  throw new NotPossible('The helper on the desktop of the device sent something that is not valid.');
}

export const textIn = (value: unknown, maxLength: number): string =>
  typeof value === 'string' && value.length <= maxLength ? value : refuseValue();

export const flagIn = (value: unknown): boolean => (typeof value === 'boolean' ? value : refuseValue());

export const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : refuseValue();

export const listIn = <Item>(value: unknown, max: number, read: (item: unknown) => Item): Item[] =>
  Array.isArray(value) && value.length <= max ? value.map(read) : refuseValue();

export const integerIn = (value: unknown, min: number, max: number): number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : refuseValue();

/** No bytes are sent as nothing. */
export const bytesIn = (value: unknown, maxLength: number): Uint8Array => {
  const bytes = value ?? new Uint8Array();
  return bytes instanceof Uint8Array && bytes.length <= maxLength ? bytes : refuseValue();
};
