/** The body of a kept answer in parts: when the answer is built again, parts whose items are the same are used again. */
import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { hasItems, toBytes, type BodySection } from './rendered.ts';

export interface BodyPart {
  bytes: Buffer;
  digest: string;
  /** The numbers of its items, or undefined if it is text. */
  items: readonly number[] | undefined;
}

/** Joins and hashes only what differs from the previous parts, and serves other requests in between. */
export async function toParts(
  sections: readonly BodySection[],
  previous: readonly BodyPart[],
): Promise<BodyPart[]> {
  const parts: BodyPart[] = [];
  for (const [index, section] of sections.entries()) {
    const known = previous[index];
    if (known && isSame(known, section)) parts.push(known);
    else {
      parts.push(toPart(section));
      await yieldToEventLoop();
    }
  }
  return parts;
}

/** At the same place of a body, the same items have the same bytes. */
const isSame = ({ items }: BodyPart, section: BodySection): boolean =>
  hasItems(section) &&
  items?.length === section.items.length &&
  section.items.every(({ number }, index) => number === items[index]);

function toPart(section: BodySection): BodyPart {
  const bytes = toBytes(section);
  return {
    bytes,
    digest: hash('sha256', bytes, 'base64url'),
    items: hasItems(section) ? section.items.map(({ number }) => number) : undefined,
  };
}

/** The digest of the digests: it depends only on the content. Weak, because compressed and uncompressed bytes differ. */
export const etagOf = (parts: readonly BodyPart[]): string =>
  `W/"${hash('sha256', parts.map(({ digest }) => digest).join(), 'base64url')}"`;
