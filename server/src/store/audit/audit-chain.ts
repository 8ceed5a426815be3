/** Verifies the audit log of an account row by row, up to the last row that the account itself recorded. */
import { setImmediate } from 'node:timers/promises';
import { findChainBreak, type AuditRow } from '../../domain/audit.ts';
import type { AuditReads, ChainCheck } from '../people/account-records.ts';

type ChainReads = Pick<AuditReads, 'chain' | 'head'>;
type HashOf = (text: string) => string;

interface ChainLink {
  seq: number;
  hash: string;
}

const start: ChainLink = { seq: 0, hash: '' };
const batchSize = 500;

/** Verifies the whole chain in batches, even while it grows. */
export async function verifyChain(audit: ChainReads, accountId: number, hashOf: HashOf): Promise<ChainCheck> {
  const known = (await audit.head(accountId)) ?? start;
  let before = start;
  let atKnown = start.hash;
  // Rows are numbered from 1, so a row with a lower number was inserted by someone else.
  let batch = await audit.chain(accountId, Number.MIN_SAFE_INTEGER, batchSize);
  let rows = 0;
  for (; batch.length > 0; batch = await audit.chain(accountId, before.seq, batchSize)) {
    const checked = verifyBatch(batch, before, hashOf);
    rows += checked.rows;
    if (checked.broken) return { ...checked, rows };
    atKnown = batch.find(({ seq }) => seq === known.seq)?.hash ?? atKnown;
    before = batch.at(-1)!;
    await setImmediate();
  }
  // Rows may have been added meanwhile. The head is read after them, so it is at least as far as they are.
  const now = (await audit.head(accountId)) ?? start;
  const broken = checkEnd(before, { ...known, seen: atKnown }, now);
  return { rows, to: before.seq, ...(broken && { broken }) };
}

/** Verifies only the last rows and trusts the first of them. No rows may be added meanwhile. */
export async function verifyChainEnd(
  audit: ChainReads,
  accountId: number,
  count: number,
  hashOf: HashOf,
): Promise<ChainCheck> {
  const head = (await audit.head(accountId)) ?? start;
  const after = Math.max(0, head.seq - count);
  const batch = await audit.chain(accountId, after, count + 1);
  const trusted = after === 0 ? start : { seq: after, hash: batch[0]?.previousHash ?? '' };
  const checked = verifyBatch(batch, trusted, hashOf);
  if (checked.broken) return checked;
  const last = batch.at(-1) ?? trusted;
  const broken = checkEnd(last, { ...head, seen: last.hash }, head);
  return { ...checked, ...(broken && { broken }) };
}

function verifyBatch(batch: readonly AuditRow[], first: ChainLink, hashOf: HashOf): ChainCheck {
  let before = first;
  for (const [at, row] of batch.entries()) {
    const says = row.seq > before.seq ? findChainBreak(row, before, hashOf) : `row ${row.seq} was inserted`;
    if (says !== undefined)
      return {
        rows: at,
        to: row.seq,
        broken: { seq: Math.min(row.seq, before.seq + 1), says: `${says}.` },
      };
    before = row;
  }
  return { rows: batch.length, to: before.seq };
}

/**
 * Returns what is wrong with the end. It must include the head that was read first, unchanged, and must not go beyond
 * the current head.
 */
function checkEnd(
  last: ChainLink,
  known: ChainLink & { seen: string },
  now: ChainLink,
): ChainCheck['broken'] {
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
