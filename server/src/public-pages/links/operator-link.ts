/**
 * The operator link of an invitation, made for one person. Anyone who is signed in to the panel connects as themselves, as
 * often as they like. For anyone else the link works once, with the rights of the person it was made for.
 */
import { isFault } from '@drawbridge/contract/faults';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../../domain/people/access.ts';
import { operatorLinkPayload, type SingleUseLink } from '../../domain/sessions/links.ts';
import { permissionsWithClient } from '../../domain/sessions/sessions.ts';
import { isOpen, statusAt, type Invitation } from '../../domain/support.ts';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { PageRequest, PageResponse, Route } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { confirmRoutes, type ConfirmedLink } from './confirm-page.ts';
import { newLinkCode, redirectToConsole, auditLineOf } from './create-link.ts';
import { mayBeFramed } from '../framing.ts';
import { invalidLinkPage } from './link-page.ts';
import { timingSafeEqualText } from '../timing-safe-equal.ts';

/** Finds who is signed in to the panel in this browser. Returns undefined if another site made the browser send the form. */
export type FindSignedIn = (
  method: Route['method'],
  headers: IncomingHttpHeaders,
) => Promise<Actor | undefined>;

interface Found {
  invitation: Invitation;
  /** The person with whose rights the visitor connects. */
  linkOwner: Actor;
  /** True if the visitor is that person, signed in to the panel. */
  isSignedIn: boolean;
}

interface Deps {
  context: HandlerContext;
  store: Store;
  findSignedIn: FindSignedIn;
  /** Whether any site may show the page in a frame. */
  isFramable: boolean;
}

export function operatorRoutes(deps: Deps): Route[] {
  const link: ConfirmedLink = {
    path: '/o/:token',
    says: [
      'You were asked to help somebody with their computer.',
      'If you are signed in to the panel, you connect as yourself. For anyone else, this link works once.',
    ],
    preview: (request) => preview(deps, request),
    async confirm(request) {
      const found = await findOperator(deps, request, 'POST');
      return found ? connect(deps, found, request) : invalidLinkPage;
    },
  };
  return confirmRoutes(link, deps.store, deps.isFramable);
}

/**
 * After a link on another site, the browser sends the sign-in cookie only once the button is pressed: until then it is
 * not known who connects, or whether the link still works for them. A frame gets the cookie
 * at once or, inside another site, never.
 */
async function preview(deps: Deps, request: PageRequest): Promise<SingleUseLink | undefined> {
  const isFramed = deps.isFramable && mayBeFramed(request);
  if (isFramed || request.headers['sec-fetch-site'] !== 'cross-site') {
    const found = await findOperator(deps, request, 'GET');
    return found && invitationLinkOf(found.invitation, found);
  }
  const valid = await findInvitation(deps, request);
  return valid && invitationLinkOf(valid.invitation, { linkOwner: undefined, isSignedIn: false });
}

const invitationLinkOf = (
  { accountId, id: invitationId }: Invitation,
  { linkOwner, isSignedIn }: Pick<Found, 'isSignedIn'> & { linkOwner: Actor | undefined },
): SingleUseLink => ({
  accountId,
  memberId: linkOwner?.memberId ?? null,
  origin: isSignedIn ? 'api' : 'operator',
  agentId: null,
  invitationId,
  video: null,
  signIn: linkOwner?.signIn,
});

/** Returns the invitation of a valid URL, and the member for whom the URL was made. */
async function findInvitation({ context, store }: Deps, { params }: PageRequest) {
  const { now, invitationLifetime, hmacOf } = context;
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

async function findOperator(
  deps: Deps,
  request: PageRequest,
  method: Route['method'],
): Promise<Found | undefined> {
  const valid = await findInvitation(deps, request);
  if (!valid) return undefined;
  const { invitation, memberId } = valid;
  const mayHelp = (actor: Actor | undefined): actor is Actor =>
    actor?.accountId === invitation.accountId && permissionsWithClient(actor, invitation).length > 0;
  const caller = await deps.findSignedIn(method, request.headers);
  if (mayHelp(caller)) return { invitation, linkOwner: caller, isSignedIn: true };
  const linkOwner = await deps.store.actors.byId(invitation.accountId, memberId);
  return mayHelp(linkOwner) && !invitation.connectUsed
    ? { invitation, linkOwner, isSignedIn: false }
    : undefined;
}

async function connect(
  { context, store }: Deps,
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
        { ...invitationLinkOf(invitation, { linkOwner, isSignedIn }), ...fresh },
        line,
      )
    : await store.change('links/add-operator', { accountId, memberId, invitationId, ...fresh }, line);
  return isFault(added) ? invalidLinkPage : redirectToConsole(code);
}
