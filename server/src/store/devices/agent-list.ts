/** Lists of devices in SQL: only what changes often, read in batches, so that a long list does not block other requests. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { effectivePolicy, parsePolicy, type OwnPolicy } from '../../domain/devices/policies.ts';
import { hasIdIn, containsText, isInScope } from '../people/scope.ts';
import type { Flag, Tables } from '../engine/schema.ts';
import type { AgentFilter, ListedAgent } from '../store.ts';

/** The number of devices that are read before yielding to the event loop. */
const batchSize = 1_000;

interface Row {
  id: number;
  revision: number;
  group_id: number | null;
  link_time: number;
  added_over_files: Flag;
  lease_until: number | null;
  seen_time: number | null;
}

interface BatchRange {
  accountId: number;
  /** The id after which the batch begins. */
  after: number;
  skip: number;
  take: number;
}

/** Only columns of the index `agent_account`, so that the large rows of devices are not read. */
const selectBatch = (db: Kysely<Tables>, { accountId, after, skip, take }: BatchRange) =>
  db
    .selectFrom('agent')
    .leftJoin('presence', 'presence.agent_id', 'agent.id')
    .select(['agent.id', 'agent.revision', 'agent.group_id', 'agent.link_time', 'agent.added_over_files'])
    .select(['presence.lease_until', 'presence.seen_time'])
    .where('agent.account_id', '=', accountId)
    .where('agent.id', '>', after)
    .orderBy('agent.id')
    .limit(take)
    .offset(skip);

const batchOfAll = prepared<BatchRange, Row>((db, parameter) =>
  selectBatch(db, {
    accountId: parameter('accountId'),
    after: parameter('after'),
    skip: parameter('skip'),
    take: parameter('take'),
  }),
);

async function readBatch(db: Kysely<Tables>, range: BatchRange, filter: AgentFilter): Promise<Row[]> {
  const { scope, search, groupId, ids } = filter;
  if (scope === 'all' && !search && groupId === undefined && !ids) return batchOfAll(db, range);
  let query = selectBatch(db, range);
  if (scope !== 'all') query = query.where(isInScope(scope));
  if (groupId !== undefined) query = query.where('agent.group_id', '=', groupId);
  if (ids) query = query.where(hasIdIn('agent.id', ids));
  return (search ? withSearch(query, search) : query).execute();
}

/** Devices whose name, address or group name contains the text. */
const withSearch = (query: ReturnType<typeof selectBatch>, search: string) =>
  query.where((eb) =>
    eb.or([
      containsText('agent.name_folded', search),
      containsText('agent.addresses', search),
      eb.exists(
        eb
          .selectFrom('agent_group')
          .select('agent_group.id')
          .whereRef('agent_group.id', '=', 'agent.group_id')
          .where(containsText('agent_group.name_folded', search)),
      ),
    ]),
  );

type GroupRow = Pick<Selectable<Tables['agent_group']>, 'id' | 'name' | 'policy'>;

const groupsOf = prepared<{ accountId: number }, GroupRow>((db, parameter) =>
  db
    .selectFrom('agent_group')
    .select(['id', 'name', 'policy'])
    .where('account_id', '=', parameter('accountId')),
);

const accountPolicy = prepared<{ accountId: number }, { policy: string }>((db, parameter) =>
  db.selectFrom('account').select('policy').where('account_id', '=', parameter('accountId')),
);

const favorites = prepared<{ accountId: number; memberId: number }, { agent_id: number }>((db, parameter) =>
  db
    .selectFrom('favorite')
    .select('agent_id')
    .where('account_id', '=', parameter('accountId'))
    .where('member_id', '=', parameter('memberId')),
);

export async function listAgents(
  db: Kysely<Tables>,
  accountId: number,
  memberId: number,
  filter: AgentFilter,
): Promise<ListedAgent[]> {
  const groups = await groupsOf(db, { accountId });
  const ofAccount = parsePolicy((await accountPolicy(db, { accountId }))[0]?.policy ?? '{}');
  const favored = new Set((await favorites(db, { accountId, memberId })).map((row) => row.agent_id));
  const found: ListedAgent[] = [];
  const toListed = createConverter({ groups, ofAccount, favored });
  const limit = filter.limit ?? Infinity;
  let [after, skip] = [0, filter.offset ?? 0];
  for (;;) {
    const take = Math.min(batchSize, limit - found.length);
    const rows = await readBatch(db, { accountId, after, skip, take }, filter);
    for (const row of rows) found.push(toListed(row));
    if (rows.length < batchSize || found.length >= limit) return found;
    [after, skip] = [rows.at(-1)!.id, 0];
    await yieldToEventLoop();
  }
}

interface SharedRows {
  groups: readonly GroupRow[];
  ofAccount: OwnPolicy;
  favored: ReadonlySet<number>;
}

/** Returns a function that converts rows; what devices of one group share is decided once. */
function createConverter({ groups, ofAccount, favored }: SharedRows): (row: Row) => ListedAgent {
  const none = { groupName: '', onetimeInherited: effectivePolicy({ account: ofAccount }).onetime_url };
  const shared = new Map(
    groups.map(({ id, name, policy }) => {
      const { onetime_url } = effectivePolicy({ account: ofAccount, group: parsePolicy(policy) });
      return [id, { groupName: name, onetimeInherited: onetime_url }];
    }),
  );
  return (row) => {
    const { groupName, onetimeInherited } = (row.group_id !== null && shared.get(row.group_id)) || none;
    return {
      id: row.id,
      revision: row.revision,
      groupId: row.group_id,
      groupName,
      linkTime: row.link_time,
      addedOverFiles: row.added_over_files === 1,
      leaseUntil: row.lease_until ?? 0,
      lastTime: row.seen_time ?? row.link_time,
      favorite: favored.has(row.id),
      onetimeInherited,
    };
  };
}
