/** The account: its plan and its audit log. One function per row of contract/src/v1/account.ts. */
import type { account as table } from '@drawbridge/contract/v1/account';
import { v1 } from '@drawbridge/contract/v1/index';
import type { Operation } from '@drawbridge/contract/operation';
import type { AuditRow } from '../domain/audit.ts';
import { hourEnds, monthEnds } from '../domain/people/plan.ts';
import type { Handlers } from './handler.ts';

export const accountHandlers: Handlers<typeof table> = {
  'plan/info': async ({ actor }, { store, now }) => {
    const [plan, used] = [
      await store.plan.of(actor.accountId),
      await store.plan.usage(actor.accountId, now()),
    ];
    const meter = (limit: number | null, amount: number) => ({
      ...(limit !== null && { limit }),
      used: amount,
    });
    return {
      data: {
        computers: meter(plan.computers, used.computers),
        invitations: { ...meter(plan.invitations, used.invitations), resets: monthEnds(now()) },
        files: meter(plan.files, used.files),
        requests: { ...meter(plan.requests, used.requests), resets: hourEnds(now()) },
        recording_mb: meter(plan.recordingMb, used.recordingMb),
      },
    };
  },

  'audit/list': async ({ actor, input }, { store }) => {
    const { date_from: from, date_to: to, ...filter } = input;
    const { total, rows } = await store.audit.list(actor.accountId, { ...filter, from, to });
    return { total, data: rows.map(view) };
  },

  'audit/verify': async ({ actor }, { store }) => {
    const { rows: lines, to, broken } = await store.audit.verify(actor.accountId);
    return {
      data: { intact: !broken, lines, checked_to: to, ...(broken && { broken_at: broken.seq }) },
    };
  },
};

const saysOf = (operation: string): string => (v1 as Record<string, Operation>)[operation]?.says ?? operation;

const view = (row: AuditRow) => ({
  id: row.seq,
  time: row.time,
  email: row.email,
  address: row.address,
  operation: row.operation,
  says: saysOf(row.operation),
  outcome: row.outcome,
  input: JSON.parse(row.input) as Record<string, unknown>,
  hash: row.hash,
});
