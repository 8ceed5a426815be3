/** Clients that change an account in all kinds of ways, and write down what they were told. */
import { randomUUID } from 'node:crypto';
import type { Client, OperationId } from '@drawbridge/client';
import type { SeededRandom } from '../fuzz/seeded-random.ts';
import type { ReplyBody } from '../kit/account.ts';
import type { Kind, Ledger, Thing } from './ledger.ts';

/** What every move of a client needs. */
interface Desk {
  ledger: Ledger;
  /** What some client works on now; nobody else touches it. */
  held: Set<Thing>;
  /** What this move works on. */
  mine: Thing[];
  email: string;
  random: SeededRandom;
  /** The body of an answer, once it was acknowledged; throws when the server is gone. */
  ask(id: OperationId, params: Record<string, unknown>): Promise<ReplyBody>;
}

/** Some thing of a kind that is there and that nobody holds; held from now on. */
function take({ ledger, held, mine, random }: Desk, kind: Kind): Thing | undefined {
  const free = ledger.things.filter((each) => each.kind === kind && each.fate === 'there' && !held.has(each));
  const thing = free.length > 0 ? random.pick(free) : undefined;
  if (!thing) return undefined;
  mine.push(thing);
  held.add(thing);
  return thing;
}

async function create(desk: Desk, thing: Thing, ask: () => Promise<ReplyBody>): Promise<void> {
  desk.ledger.lost.push(thing);
  const body = await ask();
  desk.ledger.lost = desk.ledger.lost.filter((each) => each !== thing);
  const id = (body['id'] ?? body['data']?.id) as number | undefined;
  desk.ledger.things.push({ ...thing, fate: 'there', ...(id !== undefined && { id }) });
}

async function remove(thing: Thing, ask: () => Promise<ReplyBody>): Promise<void> {
  thing.fate = 'doubtful';
  await ask();
  thing.fate = 'gone';
}

const fresh = (kind: Kind): Thing => ({ kind, name: randomUUID(), fate: 'doubtful' });

type Move = (desk: Desk) => Promise<void>;

const moves: Move[] = [
  (desk) => {
    const thing = fresh('group');
    return create(desk, thing, () => desk.ask('groups/create', { name: thing.name }));
  },
  (desk) => {
    const thing = fresh('role');
    const role = { name: thing.name, description: '', type: 'agent', permission: ['agent_connect'] };
    return create(desk, thing, () => desk.ask('team/role/create', role));
  },
  (desk) => {
    const thing = fresh('department');
    return create(desk, thing, () => desk.ask('team/department/create', { name: thing.name, worker: false }));
  },
  (desk) => {
    const thing = fresh('invitation');
    return create(desk, thing, () => desk.ask('support/create', { client_name: thing.name }));
  },
  async (desk) => {
    const [role, agent] = [take(desk, 'role'), take(desk, 'agent')];
    if (!role || !agent) return;
    const thing: Thing = {
      kind: 'grant',
      name: `${role.id} on ${agent.id}`,
      fate: 'doubtful',
      hangsOn: [role, agent],
    };
    const grant = { email: desk.email, role_id: role.id, agent_id: agent.id };
    await create(desk, thing, () => desk.ask('team/member/access/add', grant));
  },
  async (desk) => {
    const group = take(desk, 'group');
    if (!group) return;
    group.renamed = randomUUID();
    await desk.ask('groups/edit', { id: group.id, name: group.renamed });
    group.name = group.renamed;
    delete group.renamed;
  },
  async (desk) => {
    const group = take(desk, 'group');
    if (group) await remove(group, () => desk.ask('groups/remove', { id: group.id }));
  },
  async (desk) => {
    const role = take(desk, 'role');
    if (role) await remove(role, () => desk.ask('team/role/remove', { id: role.id }));
  },
  async (desk) => {
    const invitation = take(desk, 'invitation');
    if (invitation)
      await remove(invitation, () => desk.ask('support/close', { connection_id: invitation.id }));
  },
  async (desk) => {
    const [source, target] = [take(desk, 'agent'), take(desk, 'agent')];
    if (!source || !target) return;
    const both = { agent_id: source.id, target_agent_id: target.id };
    await remove(source, () => desk.ask('agents/merge', both));
  },
];

/** Lets clients make moves until the server is gone; `onAcknowledged` is told of each answer at once. */
export async function writeUntilGone(
  clients: number,
  { client, ledger, email, random }: { client: Client; ledger: Ledger; email: string; random: SeededRandom },
  onAcknowledged: () => void,
): Promise<void> {
  const held = new Set<Thing>();
  const ask = async (id: OperationId, params: Record<string, unknown>): Promise<ReplyBody> => {
    const { http, body } = (await client.request(id, params)) as { http: number; body: ReplyBody };
    if (http !== 200) throw new Refused(`${id} answered ${http}: ${JSON.stringify(body)}`);
    ledger.acknowledged++;
    onAcknowledged();
    return body;
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const mine: Thing[] = [];
      await random.pick(moves)({ ledger, held, mine, email, random, ask });
      for (const thing of mine) held.delete(thing);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: clients }, work));
  for (const end of ends) if (end.status === 'rejected' && end.reason instanceof Refused) throw end.reason;
}

/** An answer, and not the one hoped for: unlike a connection that broke, this may not happen. */
class Refused extends Error {}
