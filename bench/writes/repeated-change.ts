/** The change that the bare loops repeat, with new values where they must be unique. */
import { randomBytes, randomInt } from 'node:crypto';
import type { ChangeJob } from '@drawbridge/server/store/engine/transaction';

export interface BareLoopSetup {
  folder: string;
  /** The address of the database, if it is PostgreSQL. */
  url: string | undefined;
  accountId: number;
  memberId: number;
  groupSize: number;
  seconds: number;
}

export interface BareLoopResult {
  changes: number;
  cpuMicroseconds: number;
}

/** No other number in the statements has this value, so that it can be found and replaced. */
export const firstSequence = 1_000_000_000;

const newCode = (): string => String(randomInt(100_000_000, 1_000_000_000));
const newToken = (): string => randomBytes(32).toString('base64url');

export function createJob({ accountId, memberId }: BareLoopSetup): ChangeJob<'invitations/create'> {
  const input = { accountId, memberId, clientName: 'Ann', codes: [newCode()], connectToken: newToken() };
  const [email, address, operation] = ['ann@example.com', '127.0.0.1', 'support/create'];
  const line = { accountId, memberId, email, address, operation, input: '{"client_name":"Ann"}' };
  return { name: 'invitations/create', input, line, now: Math.floor(Date.now() / 1_000) };
}

/** Returns a function that replaces the values of the job that must be unique. */
export function createReplacer(
  job: ChangeJob<'invitations/create'>,
): (values: readonly unknown[]) => unknown[] {
  let sequence = firstSequence;
  const fresh = new Map<unknown, () => unknown>([
    [job.input.codes[0], newCode],
    [job.input.connectToken, newToken],
    [firstSequence, () => (sequence += 1)],
  ]);
  return (values) => values.map((value) => fresh.get(value)?.() ?? value);
}

/** Receives the setup from the parent process, and reports the result to it. */
export function reportChanges(repeat: (setup: BareLoopSetup) => Promise<BareLoopResult>): void {
  process.once('message', (setup: BareLoopSetup) => {
    void repeat(setup).then((result) => process.send?.(result));
  });
}
