/** Follows the audit log of an account from row to row up to what the account itself remembers as its last. */
import { breakIn, type AuditRow } from '../domain/audit.ts';
import { hashOf } from '../store/audit.ts';
import type { Reads } from '../store/store.ts';

export interface Followed {
  /** How many rows were in order. */
  rows: number;
  /** The first that is not. */
  broken?: { seq: number; says: string };
}

interface Link {
  seq: number;
  hash: string;
}

const start: Link = { seq: 0, hash: '' };
const partSize = 1_000;

/** The whole chain, a part at a time. To be asked within a snapshot: rows that come meanwhile would look like strays. */
export async function followChain(audit: Reads['audit'], accountId: number): Promise<Followed> {
  let before = start;
  // Rows are numbered from 1: one with a lower number was put there.
  let part = await audit.chain(accountId, Number.MIN_SAFE_INTEGER, partSize);
  let rows = 0;
  for (; part.length > 0; part = await audit.chain(accountId, before.seq, partSize)) {
    const followed = follow(part, before);
    rows += followed.rows;
    if (followed.broken) return { rows, broken: followed.broken };
    before = part.at(-1)!;
  }
  return endOf(rows, before, await audit.head(accountId));
}

/** The last rows only, taking the first of them on trust. */
export async function followEnd(audit: Reads['audit'], accountId: number, count: number): Promise<Followed> {
  const head = await audit.head(accountId);
  const after = Math.max(0, (head?.seq ?? 0) - count);
  const part = await audit.chain(accountId, after, count + 1);
  const trusted = after === 0 ? start : { seq: after, hash: part[0]?.previousHash ?? '' };
  const followed = follow(part, trusted);
  return followed.broken ? followed : endOf(followed.rows, part.at(-1) ?? trusted, head);
}

function follow(part: readonly AuditRow[], first: Link): Followed {
  let before = first;
  for (const [at, row] of part.entries()) {
    const says = row.seq > before.seq ? breakIn(row, before, hashOf) : `row ${row.seq} is a stray`;
    if (says !== undefined)
      return { rows: at, broken: { seq: Math.min(row.seq, before.seq + 1), says: `${says}.` } };
    before = row;
  }
  return { rows: part.length };
}

function endOf(rows: number, last: Link, head: Link | undefined): Followed {
  const known = head ?? start;
  if (last.seq < known.seq)
    return {
      rows,
      broken: { seq: last.seq + 1, says: `the end is cut off: row ${last.seq + 1} is missing.` },
    };
  if (last.seq > known.seq)
    return {
      rows,
      broken: {
        seq: known.seq + 1,
        says: `row ${known.seq + 1} comes after the last that the account knows.`,
      },
    };
  if (last.hash !== known.hash)
    return {
      rows,
      broken: { seq: last.seq, says: `row ${last.seq} is not the last row that the account knows.` },
    };
  return { rows };
}
