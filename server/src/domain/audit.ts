/** The audit log: the content of a line, and how lines are chained so that no change goes unnoticed. */
import type {
  AutomaticEvent,
  ProviderEvent,
  ProvisioningEvent,
  ServerEvent,
} from '@drawbridge/contract/audited-events';

/** Who did what, before the outcome is known. */
export interface AuditLine {
  accountId: number;
  memberId: number | null;
  email: string;
  address: string;
  operation: string;
  /** The input of the request without its secrets, as JSON text. */
  input: string;
}

interface AuditedPerson {
  memberId: number;
  email: string;
}

/** The line that an action of the server administrator leaves in an account. */
export const operatorAuditLine = (accountId: number, operation: ServerEvent, input: object): AuditLine => ({
  accountId,
  memberId: null,
  email: 'server operator',
  address: '',
  operation,
  input: JSON.stringify(input),
});

/** The line of what the server does in an account without being asked. */
export const automaticAuditLine = (
  accountId: number,
  operation: AutomaticEvent,
  input: object,
): AuditLine => ({
  accountId,
  memberId: null,
  email: 'server',
  address: '',
  operation,
  input: JSON.stringify(input),
});

/** The line of what an identity provider does with its token. */
export const provisioningAuditLine = (
  { accountId, name }: { accountId: number; name: string },
  operation: ProvisioningEvent,
  { address, input }: { address: string; input: object },
): AuditLine => ({
  accountId,
  memberId: null,
  email: `provisioning token ${name}`,
  address,
  operation,
  input: JSON.stringify(input),
});

/** The line of what an identity provider asks for; the person is named if they are known. */
export const providerAuditLine = (
  { accountId, name }: { accountId: number; name: string },
  operation: ProviderEvent,
  { address, input, person }: { address: string; input: object; person: AuditedPerson | undefined },
): AuditLine => ({
  accountId,
  memberId: person?.memberId ?? null,
  email: person?.email ?? `identity provider ${name}`,
  address,
  operation,
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

/** The text that the hash of a row covers, in an unambiguous form. */
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

/** Why a row does not continue the chain after the previous one; undefined when it does. */
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
