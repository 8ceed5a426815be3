/** Where the fuzz takes place: accounts with people of every kind, and ids of things that are there, were there or never were. */
import type { TestHouse } from '../kit/house.ts';
import { hardwareWith, must } from '../kit/account.ts';

export interface Town {
  /** Keys of people who may do everything, something and nothing, and keys that open nothing. */
  keys: readonly string[];
  /** The key of the owner, for requests that shall not fail for want of one. */
  ownerKey: string;
  /** Ids and addresses by the kind of thing they name. They grow by what the fuzz itself creates. */
  things: Record<Kind, (number | string)[]>;
}

export type Kind = 'agent' | 'device' | 'group' | 'role' | 'department' | 'connection' | 'key' | 'email';

const devices = 150;

export async function buildTown(house: TestHouse): Promise<Town> {
  const [account, other] = [await house.account(), await house.account()];
  const poor = await house.account();
  await must(house.server.store, 'plan/set', {
    accountId: poor.id,
    plan: { requests: 20, invitations: 2, computers: 0 },
  });
  const groups = [await account.group(), await account.group(), await other.group()];
  const hardware = hardwareWith({ ComputerIP: ['10.0.0.1'] });
  const agents = await Promise.all(
    Array.from({ length: devices }, (_, at) => account.agent({ groupId: groups[at % 2]!, hardware })),
  );
  agents.push(await other.agent());
  const people = [
    await account.member(),
    await account.member([{ type: 'team', permissions: ['team_user_admin', 'team_api_key'] }]),
    await account.member([{ type: 'quick_support', permissions: ['quick_support_admin', 'agent_connect'] }]),
    await account.member([
      { type: 'group', permissions: ['agent_connect', 'agent_change_settings'], groupId: groups[0]! },
    ]),
    await account.member([{ type: 'agent', permissions: ['agent_reboot'], agentId: agents[0]!.id }]),
  ];
  const gone = await account.key(people[0]!, { expireTime: 1 });
  const guests = Array.from({ length: 5 }, (_, at) => `guest-${at}@example.com`);
  const { apiKey: ownerKey } = account.owner;
  return {
    ownerKey,
    keys: [...people, gone, poor.owner, other.owner]
      .map((person) => person.apiKey)
      .concat('', 'x'.repeat(64)),
    things: {
      agent: agents.map(({ id }) => id),
      device: agents.map(({ deviceId }) => deviceId),
      group: groups,
      role: Array.from({ length: 20 }, (_, at) => at + 1),
      department: [await account.department(), await other.department()],
      connection: [1],
      // Of the people above nobody may lose their key or their place: they are needed to the end.
      key: [Number.MAX_SAFE_INTEGER],
      email: guests,
    },
  };
}
