/** The audit log: what one line says, and how lines are chained so that none can be changed unseen. */

/** Who did what, before it is known how it ended. */
export interface AuditLine {
  accountId: number;
  memberId: number | null;
  email: string;
  address: string;
  operation: string;
  /** What was asked, less its secrets, as JSON text. */
  input: string;
}

/** The line that the doings of the server's operator leave in an account. */
export const operatorAuditLine = (accountId: number, operation: string, input: object): AuditLine => ({
  accountId,
  memberId: null,
  email: 'server operator',
  address: '',
  operation: `server/${operation}`,
  input: JSON.stringify(input),
});

export interface AuditRow extends AuditLine {
  seq: number;
  time: number;
  /** `done`, or the code of the refusal. */
  outcome: string;
  previousHash: string;
  hash: string;
}

/** What the hash of a row covers, in a form that can be read in one way only. */
export const toCanonicalText = (row: Omit<AuditRow, 'hash'>): string =>
  JSON.stringify([
    row.previousHash,
    row.accountId,
    row.seq,
    row.time,
    row.memberId,
    row.email,
    row.address,
    row.operation,
    row.outcome,
    row.input,
  ]);

/** Why a row does not continue the chain after the one before it, or undefined when it does. */
export function findChainBreak(
  row: AuditRow,
  before: { seq: number; hash: string },
  hashOf: (text: string) => string,
): string | undefined {
  if (row.seq !== before.seq + 1) return `row ${before.seq + 1} is missing`;
  if (row.previousHash !== before.hash) return `row ${row.seq} does not follow the row before it`;
  if (row.hash !== hashOf(toCanonicalText(row))) return `row ${row.seq} was changed`;
  return undefined;
}
