/** An account in which somebody asks for access. */
import { isFault } from '@drawbridge/contract/faults';
import { openAccount, type StoreFixture } from '../fixture.ts';

/** The fault of an outcome with its code and field, or `done`. */
export const codeOf = (outcome: unknown): string =>
  isFault(outcome) ? [outcome.fault, outcome.code, outcome.field].filter(Boolean).join(' ') : 'done';

/** An account with a device, somebody who sees it, somebody who decides, and the role that is asked for. */
export async function askingAccount({ store }: StoreFixture) {
  const account = await openAccount(store);
  const { accountId } = account;
  const { id: agentId } = await account.agent();
  const [ann, bob] = [await account.member(), await account.member()];
  const admin = await account.role('team', ['team_user_admin']);
  await account.grant({ email: bob.email }, admin);
  await account.grant({ email: ann.email }, await account.role('agent', ['agent_chat']), { agentId });
  const roleId = await account.role('agent', ['agent_connect']);
  const wanted = { accountId, memberId: ann.id, roleId, agentId, reason: 'Ticket 7', minutes: 30 };
  const permissionsOf = async (id: number) =>
    (await store.actors.byId(accountId, id))!.grants.flatMap((grant) => grant.permissions);
  const states = async () =>
    (await store.requests.list(accountId, { offset: 0, limit: 9 })).requests.map(({ state }) => state);
  return { ...account, agentId, ann, bob, admin, roleId, wanted, permissionsOf, states };
}
