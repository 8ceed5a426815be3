/** What must be true of the bare tables after a crash, whatever was in progress. */
import type { AuditRow } from '@drawbridge/server/domain/audit';
import { findChainBreak } from '@drawbridge/server/domain/audit';
import { hashOf } from '@drawbridge/server/store/audit/audit';
import type { Sql } from '../suites/store/test-store.ts';
import type { StoredRecords } from './write-log.ts';

/** Everything the clients know by name. */
export async function readStoredRecords(sql: Sql): Promise<StoredRecords> {
  const named = async (text: string): Promise<Map<string, number>> =>
    new Map((await sql<{ id: number; name: string }>(text)).map(({ id, name }) => [name, id]));
  return {
    group: await named('select id, name from agent_group'),
    role: await named('select id, name from role where system = 0'),
    department: await named('select id, name from department'),
    invitation: await named('select id, client_name as name from invitation where status < 3'),
    agent: await named('select id, name from agent'),
    grant: await named(`select id, role_id || ' on ' || agent_id as name from access_entry`),
  };
}

/**
 * Two counts that are equal if changes were stored completely: what the log says was done, and what is there.
 */
const balances = {
  groups: `select (select count(*) from audit where outcome = 'done' and operation = 'groups/create')
    - (select count(*) from audit where outcome = 'done' and operation = 'groups/remove') as a,
    (select count(*) from agent_group) as b`,
  roles: `select (select count(*) from audit where outcome = 'done' and operation = 'team/role/create')
    - (select count(*) from audit where outcome = 'done' and operation = 'team/role/remove') as a,
    (select count(*) from role where system = 0) as b`,
  departments: `select (select count(*) from audit where outcome = 'done' and operation = 'team/department/create') as a,
    (select count(*) from department) as b`,
  invitations: `select (select count(*) from audit where outcome = 'done' and operation = 'support/create') as a,
    (select count(*) from invitation) as b`,
  'invitations of the plan': `select (select sum(used) from usage where kind = 'invitations') as a,
    (select count(*) from invitation) as b`,
  'closed invitations': `select (select count(*) from audit where outcome = 'done' and operation = 'support/close') as a,
    (select count(*) from invitation where status = 3) as b`,
  'sessions of devices': `select (select sum(sessions_total) from agent) as a, (select count(*) from session) as b`,
  'last sessions': `select (select count(*) from agent where last_session_id is not null) as a,
    (select count(distinct s.agent_id) from session s join agent on agent.last_session_id = s.id and s.agent_id = agent.id) as b`,
  'the log': `select (select sum(audit_seq) from account) as a, (select count(*) from audit) as b`,
};

/** Every inconsistency, as text. Call it after the account was used. */
export async function countProblems(sql: Sql, devices: number, sessions: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const [what, query] of Object.entries(balances)) {
    const [row] = await sql<{ a: unknown; b: unknown }>(query);
    const [a, b] = [Number(row?.a ?? 0), Number(row?.b ?? 0)];
    if (a !== b) wrong.push(`${what}: ${a} and ${b}`);
  }
  const count = async (from: string): Promise<number> =>
    Number((await sql<{ n: unknown }>(`select count(*) as n from ${from}`))[0]?.n);
  const merged = await count(`audit where outcome = 'done' and operation = 'agents/merge'`);
  const [left, kept] = [await count('agent'), await count('session')];
  if (merged + left !== devices) wrong.push(`devices: ${left} after ${merged} merges`);
  if (kept !== sessions) wrong.push(`sessions: ${kept} of ${sessions}`);
  return wrong;
}

/** What the file's own integrity check reports; nothing if it is intact. */
export async function healthProblems(sql: Sql): Promise<string[]> {
  const integrity = await sql<{ integrity_check: string }>('pragma integrity_check');
  const orphans = await sql('pragma foreign_key_check');
  return [
    ...integrity.map((row) => row.integrity_check).filter((says) => says !== 'ok'),
    ...orphans.map((row) => `orphan: ${JSON.stringify(row)}`),
  ];
}

/** Verifies the chain of the log from its start; returns the first fault, if any. */
export async function chainProblem(sql: Sql): Promise<string | undefined> {
  const rows = await sql<Omit<AuditRow, 'seq' | 'time'> & { seq: unknown; time: unknown }>(
    `select account_id as "accountId", seq, time, member_id as "memberId", email, address, operation, outcome, input,
     previous_hash as "previousHash", hash from audit order by seq`,
  );
  let before = { seq: 0, hash: '' };
  for (const row of rows as AuditRow[]) {
    const wrong = findChainBreak(row, before, hashOf);
    if (wrong !== undefined) return wrong;
    before = row;
  }
  const [head] = await sql<{ audit_hash: string }>('select audit_hash from account');
  return head?.audit_hash === before.hash ? undefined : 'the chain ends before its head';
}
