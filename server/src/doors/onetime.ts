/** The one-time link of a device: whoever presses the button first is in; looking at the page uses nothing up. */
import { timingSafeEqual } from 'node:crypto';
import { isFault } from '@drawbridge/contract/faults';
import { windowsOpenAt } from '../domain/links.ts';
import { isDisabled } from '../domain/plan.ts';
import type { House } from '../handlers/handler.ts';
import type { Agent } from '../domain/agents.ts';
import type { Store } from '../store/store.ts';
import type { Door, Knock } from './door.ts';
import { mintLink } from './mint.ts';
import { blockedDevice, deadLink, linkPage } from './page.ts';

const path = '/t/:code';
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

  return [
    {
      method: 'GET',
      path,
      open: async (knock) =>
        (await find(knock))
          ? linkPage({
              title: 'Connect to a device',
              says: ['This link opens once.'],
              form: { action: `/t/${knock.params['code']}`, button: 'Connect' },
            })
          : deadLink,
    },
    {
      method: 'POST',
      path,
      async open(knock) {
        const found = await find(knock);
        if (!found) return deadLink;
        const { agent, window } = found;
        if (isDisabled(agent, await store.plan.state(agent.accountId), now())) return blockedDevice;
        const used = await store.change('links/consume-onetime', {
          accountId: agent.accountId,
          agentId: agent.id,
          window,
        });
        if (isFault(used)) return deadLink;
        return mintLink(agent, 'onetime', knock.address, { ...house, store });
      },
    },
  ];
}
