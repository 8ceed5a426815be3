/** Creates a single-use link for a visitor of another link, and redirects to it. */
import type { AuditedEvent } from '@drawbridge/contract/audited-events';
import { isFault } from '@drawbridge/contract/faults';
import type { Actor } from '../../domain/people/access.ts';
import type { Agent } from '../../domain/devices/agents.ts';
import type { AuditLine } from '../../domain/audit.ts';
import { linkLifetime, type SingleUseLink } from '../../domain/sessions/links.ts';
import type { SessionOrigin } from '../../domain/sessions/sessions.ts';
import { fold } from '../../domain/text.ts';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { PageResponse } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { invalidLinkPage } from './link-page.ts';

type LinkDeps = Pick<HandlerContext, 'random' | 'digestOf' | 'now'>;

/** The visitor of a link: the kind of link, their address, and whose link it is. */
export interface LinkVisitor {
  origin: Exclude<SessionOrigin, 'api'>;
  address: string;
  /** The person whose link it is; undefined for permanent links, which belong to the device. */
  linkOwner: Actor | undefined;
}

/** Returns a new code and what is stored of it. */
export function newLinkCode({ random, digestOf, now }: LinkDeps) {
  const code = random.token();
  return { code, digest: digestOf(code), expireTime: now() + linkLifetime };
}

/** With 303 the browser fetches the page with GET, so that a reload does not send the form again. */
export const redirectToConsole = (code: string): PageResponse => ({
  http: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { Location: `/c/${code}`, 'Referrer-Policy': 'no-referrer' },
});

/** The line names the person whose link was used; its operation shows that somebody else may have used it. */
export const auditLineOf = (
  accountId: number,
  { origin, address, linkOwner }: LinkVisitor,
  input: object,
): AuditLine => ({
  accountId,
  memberId: linkOwner?.memberId ?? null,
  email: fold(linkOwner?.email ?? ''),
  address,
  operation: `link/${origin}` satisfies AuditedEvent,
  input: JSON.stringify(input),
});

/** The single-use link to a device that a visitor of another link gets. */
export const deviceLinkOf = (
  { accountId, id: agentId }: Agent,
  { origin, linkOwner }: Pick<LinkVisitor, 'origin' | 'linkOwner'>,
): SingleUseLink => ({
  accountId,
  memberId: linkOwner?.memberId ?? null,
  origin,
  agentId,
  invitationId: null,
  video: null,
});

/** Redirects a visitor to a new link to the device. */
export async function createSessionLink(
  agent: Agent,
  visitor: LinkVisitor,
  deps: LinkDeps & { store: Store },
): Promise<PageResponse> {
  const { accountId, id } = agent;
  const { code, ...fresh } = newLinkCode(deps);
  const link = deviceLinkOf(agent, visitor);
  const line = auditLineOf(accountId, visitor, { agent_id: id });
  return isFault(await deps.store.change('links/add', { ...link, ...fresh }, line))
    ? invalidLinkPage
    : redirectToConsole(code);
}
