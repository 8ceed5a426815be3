/** A fresh single-use link for somebody who came by another link, and the redirect to it. */
import { isFault } from '@drawbridge/contract/faults';
import type { Actor } from '../domain/access.ts';
import type { Agent } from '../domain/agents.ts';
import type { AuditLine } from '../domain/audit.ts';
import { linkLifetime } from '../domain/links.ts';
import type { SessionOrigin } from '../domain/sessions.ts';
import { fold } from '../domain/text.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PageResponse } from '../http/route.ts';
import type { Store } from '../store/store.ts';
import { invalidLinkPage } from './link-page.ts';

type LinkDeps = Pick<HandlerContext, 'random' | 'digestOf' | 'now'>;

/** Who came in: by which kind of link, from where, and by whose link. */
export interface LinkVisitor {
  origin: Exclude<SessionOrigin, 'api'>;
  address: string;
  /** The person whose link it is; undefined for the password, which is the device's. */
  linkOwner: Actor | undefined;
}

/** A code and what is stored of it. */
export function newLinkCode({ random, digestOf, now }: LinkDeps) {
  const code = random.token();
  return { code, digest: digestOf(code), expireTime: now() + linkLifetime };
}

/** The browser asks for the page of the link by itself; the form is not sent again when it is read anew. */
export const redirectToConsole = (code: string): PageResponse => ({
  http: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { Location: `/c/${code}`, 'Referrer-Policy': 'no-referrer' },
});

/** The person is the one whose link was used; that somebody else may have used it is told by the operation. */
export const auditLineOf = (
  accountId: number,
  { origin, address, linkOwner }: LinkVisitor,
  input: object,
): AuditLine => ({
  accountId,
  memberId: linkOwner?.memberId ?? null,
  email: fold(linkOwner?.email ?? ''),
  address,
  operation: `link/${origin}`,
  input: JSON.stringify(input),
});

/** Lets a visitor go on to a device. */
export async function createSessionLink(
  { accountId, id }: Agent,
  visitor: LinkVisitor,
  deps: LinkDeps & { store: Store },
): Promise<PageResponse> {
  const { code, ...fresh } = newLinkCode(deps);
  const memberId = visitor.linkOwner?.memberId ?? null;
  const link = { accountId, memberId, origin: visitor.origin, agentId: id, invitationId: null, video: null };
  const line = auditLineOf(accountId, visitor, { agent_id: id });
  return isFault(await deps.store.change('links/add', { ...link, ...fresh }, line))
    ? invalidLinkPage
    : redirectToConsole(code);
}
