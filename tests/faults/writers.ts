/** Clients that change an account in all kinds of ways, and record the acknowledgements. */
import { randomUUID } from 'node:crypto';
import type { Client, OperationId } from '@drawbridge/client';
import type { SeededRandom } from '../fuzz/seeded-random.ts';
import type { ReplyBody } from '../kit/server/account.ts';
import type { RecordKind, WriteLog, TrackedRecord } from './write-log.ts';

/** What every action of a client needs. */
interface WriterContext {
  writeLog: WriteLog;
  /** What some client works on now; no other client touches it. */
  held: Set<TrackedRecord>;
  /** What this action works on. */
  mine: TrackedRecord[];
  email: string;
  random: SeededRandom;
  /** The body of an acknowledged response; throws if the server is gone. */
  ask(id: OperationId, params: Record<string, unknown>): Promise<ReplyBody>;
}

/** A thing of a kind that exists and that no client holds; held from now on. */
function claim({ writeLog, held, mine, random }: WriterContext, kind: RecordKind): TrackedRecord | undefined {
  const free = writeLog.records.filter(
    (each) => each.kind === kind && each.fate === 'there' && !held.has(each),
  );
  const record = free.length > 0 ? random.pick(free) : undefined;
  if (!record) return undefined;
  mine.push(record);
  held.add(record);
  return record;
}

async function create(
  context: WriterContext,
  record: TrackedRecord,
  ask: () => Promise<ReplyBody>,
): Promise<void> {
  context.writeLog.lost.push(record);
  const body = await ask();
  context.writeLog.lost = context.writeLog.lost.filter((each) => each !== record);
  const id = (body['id'] ?? body['data']?.id) as number | undefined;
  context.writeLog.records.push({ ...record, fate: 'there', ...(id !== undefined && { id }) });
}

async function remove(record: TrackedRecord, ask: () => Promise<ReplyBody>): Promise<void> {
  record.fate = 'doubtful';
  await ask();
  record.fate = 'gone';
}

const newRecord = (kind: RecordKind): TrackedRecord => ({ kind, name: randomUUID(), fate: 'doubtful' });

type WriteAction = (context: WriterContext) => Promise<void>;

const writeActions: WriteAction[] = [
  (context) => {
    const record = newRecord('group');
    return create(context, record, () => context.ask('groups/create', { name: record.name }));
  },
  (context) => {
    const record = newRecord('role');
    const role = { name: record.name, description: '', type: 'agent', permission: ['agent_connect'] };
    return create(context, record, () => context.ask('team/role/create', role));
  },
  (context) => {
    const record = newRecord('department');
    return create(context, record, () =>
      context.ask('team/department/create', { name: record.name, worker: false }),
    );
  },
  (context) => {
    const record = newRecord('invitation');
    return create(context, record, () => context.ask('support/create', { client_name: record.name }));
  },
  async (context) => {
    const [role, agent] = [claim(context, 'role'), claim(context, 'agent')];
    if (!role || !agent) return;
    const record: TrackedRecord = {
      kind: 'grant',
      name: `${role.id} on ${agent.id}`,
      fate: 'doubtful',
      hangsOn: [role, agent],
    };
    const grant = { email: context.email, role_id: role.id, agent_id: agent.id };
    await create(context, record, () => context.ask('team/member/access/add', grant));
  },
  async (context) => {
    const group = claim(context, 'group');
    if (!group) return;
    group.renamed = randomUUID();
    await context.ask('groups/edit', { id: group.id, name: group.renamed });
    group.name = group.renamed;
    delete group.renamed;
  },
  async (context) => {
    const group = claim(context, 'group');
    if (group) await remove(group, () => context.ask('groups/remove', { id: group.id }));
  },
  async (context) => {
    const role = claim(context, 'role');
    if (role) await remove(role, () => context.ask('team/role/remove', { id: role.id }));
  },
  async (context) => {
    const invitation = claim(context, 'invitation');
    if (invitation)
      await remove(invitation, () => context.ask('support/close', { connection_id: invitation.id }));
  },
  async (context) => {
    const [source, target] = [claim(context, 'agent'), claim(context, 'agent')];
    if (!source || !target) return;
    const both = { agent_id: source.id, target_agent_id: target.id };
    await remove(source, () => context.ask('agents/merge', both));
  },
];

/** Lets clients act until the server is gone; `onAcknowledged` is called for each response at once. */
export async function writeUntilGone(
  clients: number,
  {
    client,
    writeLog,
    email,
    random,
  }: { client: Client; writeLog: WriteLog; email: string; random: SeededRandom },
  onAcknowledged: () => void,
): Promise<void> {
  const held = new Set<TrackedRecord>();
  const ask = async (id: OperationId, params: Record<string, unknown>): Promise<ReplyBody> => {
    const { http, body } = (await client.request(id, params)) as { http: number; body: ReplyBody };
    if (http !== 200) throw new UnexpectedRefusal(`${id} answered ${http}: ${JSON.stringify(body)}`);
    writeLog.acknowledged++;
    onAcknowledged();
    return body;
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const mine: TrackedRecord[] = [];
      await random.pick(writeActions)({ writeLog, held, mine, email, random, ask });
      for (const record of mine) held.delete(record);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: clients }, work));
  for (const end of ends)
    if (end.status === 'rejected' && end.reason instanceof UnexpectedRefusal) throw end.reason;
}

/** An unexpected response: unlike a broken connection, this may not happen. */
class UnexpectedRefusal extends Error {}
