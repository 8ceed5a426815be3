/** The one-time link of a device: whoever presses the button first is in; looking at the page uses nothing up. */
import { timingSafeEqual } from 'node:crypto';
import { isFault } from '@drawbridge/contract/faults';
import { windowsOpenAt } from '../domain/links.ts';
import { isDisabled } from '../domain/plan.ts';
import type { House } from '../handlers/handler.ts';
import type { Agent } from '../domain/agents.ts';
import type { Store } from '../store/store.ts';
import { buttonDoors } from './button.ts';
import type { Door, Knock } from './door.ts';
import { mintLink } from './mint.ts';
import { blockedDevice, deadLink } from './page.ts';

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

export function onetimeDoors(house: House, store: Store): Door[] {
  const { now, sealOf } = house;

  /** The device and window a code belongs to, if it opens now. */
  async function find({ params }: Knock): Promise<{ agent: Agent; window: number } | undefined> {
    const [, id = '', code = ''] = /^(\d{1,16})\.([\w-]{22})$/.exec(params['code'] ?? '') ?? [];
    const known = id === '' ? undefined : await store.devices.byId(Number(id));
    const agent =
      known && (await store.agents.find({ accountId: known.accountId, memberId: 0 }, { id: known.id }));
    if (!agent?.onetimeAllowed || !agent.approved) return undefined;
    const window = windowsOpenAt(now()).find((each) => same(sealOf(agent.secret, `onetime:${each}`), code));
    return window === undefined ? undefined : { agent, window };
  }

  return buttonDoors({
    path: '/t/:code',
    find,
    title: 'Connect to a device',
    says: [],
    async press({ agent, window }, knock) {
      const { accountId, id: agentId } = agent;
      if (isDisabled(agent, await store.plan.state(accountId), now())) return blockedDevice;
      const used = await store.change('links/consume-onetime', { accountId, agentId, window });
      return isFault(used) ? deadLink : mintLink(agent, 'onetime', knock.address, { ...house, store });
    },
  });
}
