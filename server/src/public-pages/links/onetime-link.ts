/** The one-time link of a device, made for one person: it works once, with that person's current rights. */
import { isFault } from '@drawbridge/contract/faults';
import type { Actor } from '../../domain/people/access.ts';
import type { Agent } from '../../domain/devices/agents.ts';
import { onetimeLinkPayload, windowsOpenAt } from '../../domain/sessions/links.ts';
import { isDisabled } from '../../domain/people/plan.ts';
import { permissionsOnDevice } from '../../domain/sessions/sessions.ts';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { Store } from '../../store/store.ts';
import { confirmRoutes } from './confirm-page.ts';
import type { PageRequest, Route } from '../../http/route.ts';
import { createSessionLink } from './create-link.ts';
import { blockedDevicePage, invalidLinkPage } from './link-page.ts';
import { timingSafeEqualText } from '../timing-safe-equal.ts';

interface Found {
  agent: Agent;
  linkOwner: Actor;
  window: number;
}

export function onetimeRoutes(context: HandlerContext, store: Store): Route[] {
  const { now, hmacOf } = context;

  /** Returns the device, person and time window of a code, if it is valid now. */
  async function find({ params }: PageRequest): Promise<Found | undefined> {
    const [, id = '', member = '', code = ''] =
      /^(\d{1,16})\.(\d{1,16})\.([\w-]{22})$/.exec(params['code'] ?? '') ?? [];
    const known = id === '' ? undefined : await store.deviceIdentity.byId(Number(id));
    if (!known) return undefined;
    const viewer = { accountId: known.accountId, memberId: Number(member) };
    const agent = await store.agents.find(viewer, { id: known.id });
    if (!agent?.onetimeAllowed || !agent.approved) return undefined;
    const { memberId } = viewer;
    const window = windowsOpenAt(now()).find((each) =>
      timingSafeEqualText(hmacOf(agent.secret, onetimeLinkPayload(memberId, each)), code),
    );
    const linkOwner = window === undefined ? undefined : await store.actors.byId(viewer.accountId, memberId);
    return window !== undefined && linkOwner && permissionsOnDevice(linkOwner, agent).length > 0
      ? { agent, linkOwner, window }
      : undefined;
  }

  return confirmRoutes({
    path: '/t/:code',
    find,
    title: 'Connect to a device',
    says: ['This link works once.'],
    async confirm({ agent, linkOwner, window }, { address }) {
      const { accountId, id: agentId } = agent;
      if (isDisabled(agent, await store.plan.state(accountId), now())) return blockedDevicePage;
      const use = { accountId, agentId, memberId: linkOwner.memberId, window };
      if (isFault(await store.change('links/consume-onetime', use))) return invalidLinkPage;
      return createSessionLink(agent, { origin: 'onetime', address, linkOwner }, { ...context, store });
    },
  });
}
