/** A fresh single-use link for somebody who came in by another door, and the way there. */
import { isFault } from '@drawbridge/contract/faults';
import type { Agent } from '../domain/agents.ts';
import type { AuditLine } from '../domain/audit.ts';
import { linkLifetime } from '../domain/links.ts';
import type { Door } from '../domain/sessions.ts';
import type { House } from '../handlers/handler.ts';
import type { Page } from '../http/pages.ts';
import type { Store } from '../store/store.ts';
import { deadLink } from './page.ts';

type Lent = Pick<House, 'chance' | 'digestOf' | 'now'>;

/** A code and what is stored of it. */
export function freshLink({ chance, digestOf, now }: Lent) {
  const code = chance.token();
  return { code, digest: digestOf(code), expireTime: now() + linkLifetime };
}

/** The browser asks for the page of the link by itself; the form is not sent again when it is read anew. */
export const goTo = (code: string): Page => ({
  http: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { Location: `/c/${code}`, 'Referrer-Policy': 'no-referrer' },
});

/** Whoever it was came without an account. */
export const lineOf = (
  accountId: number,
  door: Exclude<Door, 'api'>,
  address: string,
  input: object,
): AuditLine => ({
  accountId,
  memberId: null,
  email: '',
  address,
  operation: `link/${door}`,
  input: JSON.stringify(input),
});

/** Lets somebody without an account go on to a device. */
export async function mintLink(
  { accountId, id }: Agent,
  door: 'permanent' | 'onetime',
  address: string,
  lent: Lent & { store: Store },
): Promise<Page> {
  const { code, ...fresh } = freshLink(lent);
  const link = { accountId, memberId: null, door, agentId: id, invitationId: null, video: null, ...fresh };
  const line = lineOf(accountId, door, address, { agent_id: id });
  return isFault(await lent.store.change('links/add', link, line)) ? deadLink : goTo(code);
}
