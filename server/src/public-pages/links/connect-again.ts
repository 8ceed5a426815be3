/** Connects again after a session: a new single-use link for the person who is signed in, or the permanent link that was used. */
import type { IncomingHttpHeaders } from 'node:http';
import type { SessionEvent } from '@drawbridge/contract/audited-events';
import { isFault } from '@drawbridge/contract/faults';
import { againRequest, type AgainReply } from '@drawbridge/contract/session/open';
import type { OpeningProblem } from '@drawbridge/contract/session/problem';
import type { Actor } from '../../domain/people/access.ts';
import { fold } from '../../domain/text.ts';
import { permissionsOnDevice, permissionsWithClient } from '../../domain/sessions/sessions.ts';
import { isOpen, statusAt } from '../../domain/support.ts';
import type { HandlerContext } from '../../handlers/handler.ts';
import type { Route } from '../../http/route.ts';
import { refusals } from '../../sessions/refusals.ts';
import type { StoredSession } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { createPostGuard, postRoute } from '../console.ts';
import { newLinkCode } from './create-link.ts';
import type { FindSignedIn } from './operator-link.ts';

interface Deps {
  context: HandlerContext;
  store: Store;
  findSignedIn: FindSignedIn;
}

/** A link that worked once opens nothing more: the person connects with their own rights, as from the panel. */
export function connectAgainRoutes(deps: Deps): Route[] {
  const { context, store } = deps;
  const guard = createPostGuard(() => context.publicUrl);
  return [
    postRoute(guard, '/session/again', againRequest, async ({ session: id, secret, check }, requester) => {
      const session = await store.sessions.bySecret(id, context.digestOf(secret));
      if (!session) return refusals.ended;
      const actor = await findHelper(deps, session, requester.headers);
      const permanent = actor ? undefined : await findPermanentLink(deps, session);
      if (check) return { may: actor !== undefined || permanent !== undefined };
      if (actor) return createLink(deps, session, actor, requester);
      return permanent === undefined ? refusals.forbidden : { url: permanent };
    }),
  ];
}

/** The person who is signed in, if they may open such a session now. */
async function findHelper(
  { context, store, findSignedIn }: Deps,
  { accountId, agentId, invitationId }: StoredSession,
  headers: IncomingHttpHeaders,
): Promise<Actor | undefined> {
  const actor = await findSignedIn('POST', headers);
  if (actor?.accountId !== accountId) return undefined;
  if (agentId !== null) {
    const agent = await store.agents.find(actor, { id: agentId });
    return agent?.approved && permissionsOnDevice(actor, agent).length > 0 ? actor : undefined;
  }
  const invitation = await store.invitations.find(accountId, invitationId ?? 0);
  const isWaiting = invitation && isOpen(statusAt(invitation, context.now(), context.invitationLifetime));
  return isWaiting && permissionsWithClient(actor, invitation).length > 0 ? actor : undefined;
}

/** The path of the permanent link that opened the session; its page asks for the password again. */
async function findPermanentLink(
  { store }: Deps,
  { accountId, agentId, origin }: StoredSession,
): Promise<string | undefined> {
  if (origin !== 'permanent' || agentId === null) return undefined;
  const agent = await store.agents.find({ accountId, memberId: 0 }, { id: agentId });
  const isEnabled = agent?.approved && agent.permanentEnabled && agent.permanentPath !== null;
  return isEnabled ? `/p/${agent.permanentPath}` : undefined;
}

/** A session that had to be recorded is recorded again. */
async function createLink(
  { context, store }: Deps,
  { id, accountId, agentId, invitationId, record }: StoredSession,
  { memberId, email, signIn }: Actor,
  { address }: { address: string },
): Promise<AgainReply | OpeningProblem> {
  const { code, ...fresh } = newLinkCode(context);
  const target = { accountId, memberId, agentId, invitationId, signIn };
  const line = {
    accountId,
    memberId,
    email: fold(email),
    address,
    operation: 'session/again' satisfies SessionEvent,
    input: JSON.stringify({
      session: id,
      agent_id: agentId ?? undefined,
      support_id: invitationId ?? undefined,
    }),
  };
  const link = { ...target, origin: 'api' as const, video: record ? true : null, ...fresh };
  return isFault(await store.change('links/add', link, line)) ? refusals.forbidden : { url: `/c/${code}` };
}
