/** Follows the audit log of an account from row to row up to what the account itself remembers as its last. */
import { setImmediate } from 'node:timers/promises';
import { findChainBreak, type AuditRow } from '../domain/audit.ts';
import type { AuditReads, Followed } from './account-records.ts';

type Chain = Pick<AuditReads, 'chain' | 'head'>;
type HashOf = (text: string) => string;

interface Link {
  seq: number;
  hash: string;
}

const start: Link = { seq: 0, hash: '' };
const partSize = 500;

/** The whole chain, a part at a time, also while it grows. */
export async function followChain(audit: Chain, accountId: number, hashOf: HashOf): Promise<Followed> {
  const known = (await audit.head(accountId)) ?? start;
  let before = start;
  let atKnown = start.hash;
  // Rows are numbered from 1: one with a lower number was put there.
  let part = await audit.chain(accountId, Number.MIN_SAFE_INTEGER, partSize);
  let rows = 0;
  for (; part.length > 0; part = await audit.chain(accountId, before.seq, partSize)) {
    const followed = followPart(part, before, hashOf);
    rows += followed.rows;
    if (followed.broken) return { ...followed, rows };
    atKnown = part.find(({ seq }) => seq === known.seq)?.hash ?? atKnown;
    before = part.at(-1)!;
    await setImmediate();
  }
  // Rows may have come since: asked for after them, the head is at least where they are.
  const now = (await audit.head(accountId)) ?? start;
  const wrong = endOf(before, { ...known, seen: atKnown }, now);
  return { rows, to: before.seq, ...(wrong && { broken: wrong }) };
}

/** The last rows only, taking the first of them on trust. To be asked while nothing comes meanwhile. */
export async function followEnd(
  audit: Chain,
  accountId: number,
  count: number,
  hashOf: HashOf,
): Promise<Followed> {
  const head = (await audit.head(accountId)) ?? start;
  const after = Math.max(0, head.seq - count);
  const part = await audit.chain(accountId, after, count + 1);
  const trusted = after === 0 ? start : { seq: after, hash: part[0]?.previousHash ?? '' };
  const followed = followPart(part, trusted, hashOf);
  if (followed.broken) return followed;
  const last = part.at(-1) ?? trusted;
  const wrong = endOf(last, { ...head, seen: last.hash }, head);
  return { ...followed, ...(wrong && { broken: wrong }) };
}

function followPart(part: readonly AuditRow[], first: Link, hashOf: HashOf): Followed {
  let before = first;
  for (const [at, row] of part.entries()) {
    const says = row.seq > before.seq ? findChainBreak(row, before, hashOf) : `row ${row.seq} was inserted`;
    if (says !== undefined)
      return {
        rows: at,
        to: row.seq,
        broken: { seq: Math.min(row.seq, before.seq + 1), says: `${says}.` },
      };
    before = row;
  }
  return { rows: part.length, to: before.seq };
}

/** What is wrong with the end: it must reach what was known at first as it was known, and not go beyond what is known now. */
function endOf(last: Link, known: Link & { seen: string }, now: Link): Followed['broken'] {
  if (last.seq < known.seq)
    return { seq: last.seq + 1, says: `the end is cut off: row ${last.seq + 1} is missing.` };
  if (last.seq > now.seq)
    return {
      seq: now.seq + 1,
      says: `row ${now.seq + 1} comes after the last row that the account recorded.`,
    };
  if (known.seen !== known.hash)
    return { seq: known.seq, says: `row ${known.seq} is not the last row that the account recorded.` };
  return undefined;
}
