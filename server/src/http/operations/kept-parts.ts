/** The body of a kept answer in parts: when the answer is built again, parts whose items are the same are used again. */
import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { hasItems, sectionBytes, type BodySection } from './rendered.ts';

export interface BodyPart {
  bytes: Buffer;
  digest: string;
  /** The text around its items, and their numbers; undefined if it has none. */
  content: { before: string; numbers: readonly number[]; after: string } | undefined;
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

/** Items with the same numbers have the same text. */
const isSame = ({ content }: BodyPart, section: BodySection): boolean =>
  content !== undefined &&
  hasItems(section) &&
  content.before === section.before &&
  content.after === section.after &&
  content.numbers.length === section.items.length &&
  section.items.every(({ number }, index) => number === content.numbers[index]);

function toPart(section: BodySection): BodyPart {
  const bytes = sectionBytes(section);
  return { bytes, digest: hash('sha256', bytes, 'base64url'), content: contentOf(section) };
}

function contentOf(section: BodySection): BodyPart['content'] {
  if (!hasItems(section)) return undefined;
  const { before, items, after } = section;
  return { before, numbers: items.map(({ number }) => number), after };
}

/** The digest of the digests: it depends only on the content. Weak, because compressed and uncompressed bytes differ. */
export const etagOf = (parts: readonly BodyPart[]): string =>
  `W/"${hash('sha256', parts.map(({ digest }) => digest).join(), 'base64url')}"`;
