/** A fresh single-use link for somebody who came in by another door, and the way there. */
import { isFault } from '@drawbridge/contract/faults';
import type { Actor } from '../domain/access.ts';
import type { Agent } from '../domain/agents.ts';
import type { AuditLine } from '../domain/audit.ts';
import { linkLifetime } from '../domain/links.ts';
import type { SessionOrigin } from '../domain/sessions.ts';
import { fold } from '../domain/text.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PageResponse } from '../http/pages.ts';
import type { Store } from '../store/store.ts';
import { deadLink } from './link-page.ts';

type LinkDeps = Pick<HandlerContext, 'random' | 'digestOf' | 'now'>;

/** Who came in: by which door, from where, and by whose link. */
export interface Guest {
  origin: Exclude<SessionOrigin, 'api'>;
  address: string;
  /** The person whose link it is; undefined for the password, which is the device's. */
  whose: Actor | undefined;
}

/** A code and what is stored of it. */
export function freshLink({ random, digestOf, now }: LinkDeps) {
  const code = random.token();
  return { code, digest: digestOf(code), expireTime: now() + linkLifetime };
}

/** The browser asks for the page of the link by itself; the form is not sent again when it is read anew. */
export const goTo = (code: string): PageResponse => ({
  http: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { Location: `/c/${code}`, 'Referrer-Policy': 'no-referrer' },
});

/** The person is the one whose link was used; that somebody else may have used it is told by the operation. */
export const lineOf = (accountId: number, { origin, address, whose }: Guest, input: object): AuditLine => ({
  accountId,
  memberId: whose?.memberId ?? null,
  email: fold(whose?.email ?? ''),
  address,
  operation: `link/${origin}`,
  input: JSON.stringify(input),
});

/** Lets a guest go on to a device. */
export async function mintLink(
  { accountId, id }: Agent,
  guest: Guest,
  deps: LinkDeps & { store: Store },
): Promise<PageResponse> {
  const { code, ...fresh } = freshLink(deps);
  const memberId = guest.whose?.memberId ?? null;
  const link = { accountId, memberId, origin: guest.origin, agentId: id, invitationId: null, video: null };
  const line = lineOf(accountId, guest, { agent_id: id });
  return isFault(await deps.store.change('links/add', { ...link, ...fresh }, line)) ? deadLink : goTo(code);
}
