/** The one-time link of a device, made for one person: it works once, with that person's current rights. */
import { isFault } from '@drawbridge/contract/faults';
import type { Actor } from '../../domain/people/access.ts';
import type { Agent } from '../../domain/devices/agents.ts';
import { onetimeLinkPayload, windowsOpenAt, type OnetimeLink } from '../../domain/sessions/links.ts';
import { isDisabled } from '../../domain/people/plan.ts';
import { permissionsOnDevice } from '../../domain/sessions/sessions.ts';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { Store } from '../../store/store.ts';
import { confirmRoutes, type ConfirmedLink } from './confirm-page.ts';
import type { PageRequest, Route } from '../../http/route.ts';
import { createSessionLink, deviceLinkOf } from './create-link.ts';
import { blockedDevicePage, invalidLinkPage } from './link-page.ts';
import { timingSafeEqualText } from '../timing-safe-equal.ts';

interface Found {
  agent: Agent;
  linkOwner: Actor;
  link: OnetimeLink;
}

export function onetimeRoutes(context: HandlerContext, store: Store, isFramable: boolean): Route[] {
  const confirmedLink: ConfirmedLink = {
    path: '/t/:code',
    says: ['This link works once.'],
    async preview(request) {
      const found = await find(context, store, request);
      return found && deviceLinkOf(found.agent, { origin: 'onetime', linkOwner: found.linkOwner });
    },
    async confirm(request) {
      const found = await find(context, store, request);
      if (!found) return invalidLinkPage;
      const { agent, linkOwner, link } = found;
      if (isDisabled(agent, await store.plan.state(agent.accountId), context.now())) return blockedDevicePage;
      if (isFault(await store.change('links/consume-onetime', link))) return invalidLinkPage;
      const visitor = { origin: 'onetime', address: request.address, linkOwner } as const;
      return createSessionLink(agent, visitor, { ...context, store });
    },
  };
  return confirmRoutes(confirmedLink, store, isFramable);
}

/** Returns the device, person and time window of a code, if it is valid now. */
async function find(
  { now, hmacOf }: HandlerContext,
  store: Store,
  { params }: PageRequest,
): Promise<Found | undefined> {
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
  if (window === undefined || !linkOwner || permissionsOnDevice(linkOwner, agent).length === 0)
    return undefined;
  const link = { ...viewer, agentId: agent.id, window };
  return (await store.links.isOnetimeUsed(link)) ? undefined : { agent, linkOwner, link };
}
