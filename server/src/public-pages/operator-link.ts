/**
 * The operator's URL of an invitation, made for one person. Who is signed in at the panel goes in as themselves, as often as they
 * like; anybody else with what the person may do whose link it is, and whoever presses the button first.
 */
import { isFault } from '@drawbridge/contract/faults';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../domain/access.ts';
import { operatorLinkPayload } from '../domain/links.ts';
import { permissionsWithClient } from '../domain/sessions.ts';
import { isOpen, statusAt, type Invitation } from '../domain/support.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PageRequest, PageResponse, Route } from '../http/route.ts';
import type { Store } from '../store/store.ts';
import { confirmRoutes } from './confirm-page.ts';
import { newLinkCode, redirectToConsole, auditLineOf } from './create-link.ts';
import { invalidLinkPage } from './link-page.ts';
import { timingSafeEqualText } from './timing-safe-equal.ts';

/** Who is signed in at the panel in the browser that asks; nobody, where a page of somebody else makes it send a form. */
export type FindSignedIn = (
  method: Route['method'],
  headers: IncomingHttpHeaders,
) => Promise<Actor | undefined>;

interface Found {
  invitation: Invitation;
  /** Who goes in, and whether as themselves. */
  linkOwner: Actor;
  isSignedIn: boolean;
}

export function operatorRoutes(context: HandlerContext, store: Store, findSignedIn: FindSignedIn): Route[] {
  const { now, invitationLifetime, hmacOf } = context;

  /** The invitation of a URL that is right, and for whom it was made. */
  async function invitationOf({ params }: PageRequest) {
    const [, id = '', member = '', seal = ''] =
      /^(\d{1,16})\.(\d{1,16})\.([\w-]{22})$/.exec(params['token'] ?? '') ?? [];
    const invitation = id === '' ? undefined : await store.invitations.byId(Number(id));
    const memberId = Number(member);
    if (
      !invitation ||
      !timingSafeEqualText(hmacOf(invitation.connectToken, operatorLinkPayload(memberId)), seal)
    )
      return undefined;
    return isOpen(statusAt(invitation, now(), invitationLifetime)) ? { invitation, memberId } : undefined;
  }

  async function find(request: PageRequest, method: Route['method']): Promise<Found | undefined> {
    const shown = await invitationOf(request);
    if (!shown) return undefined;
    const { invitation, memberId } = shown;
    const mayHelp = (actor: Actor | undefined): actor is Actor =>
      actor?.accountId === invitation.accountId && permissionsWithClient(actor, invitation).length > 0;
    const caller = await findSignedIn(method, request.headers);
    if (mayHelp(caller)) return { invitation, linkOwner: caller, isSignedIn: true };
    const linkOwner = await store.actors.byId(invitation.accountId, memberId);
    return mayHelp(linkOwner) && !invitation.connectUsed
      ? { invitation, linkOwner, isSignedIn: false }
      : undefined;
  }

  async function confirm(
    { invitation, linkOwner, isSignedIn }: Found,
    { address }: PageRequest,
  ): Promise<PageResponse> {
    const { accountId, id: invitationId } = invitation;
    const { memberId } = linkOwner;
    const { code, ...fresh } = newLinkCode(context);
    const line = auditLineOf(
      accountId,
      { origin: 'operator', address, linkOwner },
      { support_id: invitationId },
    );
    const added = isSignedIn
      ? await store.change(
          'links/add',
          { accountId, memberId, origin: 'api', agentId: null, invitationId, video: null, ...fresh },
          line,
        )
      : await store.change('links/add-operator', { accountId, memberId, invitationId, ...fresh }, line);
    return isFault(added) ? invalidLinkPage : redirectToConsole(code);
  }

  return confirmRoutes({
    path: '/o/:token',
    find,
    // Where a page of another site leads here, the browser holds back who is signed in until the button is pressed.
    isUndecided: ({ headers }) => headers['sec-fetch-site'] === 'cross-site',
    title: 'Help a client',
    says: [
      'You were asked to help somebody with their computer.',
      'If you are signed in to the panel, you connect as yourself. For anyone else, this link works once.',
    ],
    confirm,
  });
}
