/** Whose session a link opens: the device or client, the person whose rights it gives, the brand, and whether it is recorded. */
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import type { SessionSubject } from '@drawbridge/contract/session/open';
import { isProblem, type OpeningProblemCode } from '@drawbridge/contract/session/problem';
import type { Actor } from '../../domain/people/access.ts';
import { effectivePolicy } from '../../domain/devices/policies.ts';
import { brandView } from '../../domain/people/brand.ts';
import { isRecorded, type SingleUseLink } from '../../domain/sessions/links.ts';
import { clientNameFor } from '../../domain/sessions/sessions.ts';
import { rightsOf, type SessionRightsDeps } from '../../sessions/rights.ts';
import type { Reads } from '../../store/store.ts';

type SubjectReads = Pick<Reads, 'accounts' | 'actors' | 'agents' | 'brands' | 'invitations'>;

export async function subjectOf(store: SubjectReads, link: SingleUseLink): Promise<SessionSubject> {
  const { accountId, memberId } = link;
  const [actor, brand, settings] = await Promise.all([
    memberId === null ? undefined : store.actors.byId(accountId, memberId),
    store.brands.of(accountId),
    store.accounts.settings(accountId),
  ]);
  const { name, policy } = await targetOf(store, link, actor);
  const record = isRecorded(link, settings, policy.recording);
  return { name, owner: actor?.email ?? '', brand: brandView(brand), record };
}

/** The device or client; an invitation whose client has no name for this person has its number. */
async function targetOf(
  store: SubjectReads,
  { accountId, memberId, agentId, invitationId, origin }: SingleUseLink,
  actor: Actor | undefined,
): Promise<{ name: string; policy: Policy }> {
  if (agentId !== null) {
    const agent = await store.agents.find({ accountId, memberId: memberId ?? 0 }, { id: agentId });
    return { name: agent?.name ?? '', policy: agent ? effectivePolicy(agent.policies) : defaultPolicy };
  }
  const invitation = await store.invitations.find(accountId, invitationId ?? 0);
  const name = (invitation && clientNameFor(invitation, actor, origin)) || `Quick support ${invitationId}`;
  return { name, policy: defaultPolicy };
}

/** The problems of a link that opens nothing for anyone, now or later. */
const lasting: ReadonlySet<string> = new Set<OpeningProblemCode>(['used', 'forbidden']);

/**
 * The subject of a single-use link that would still open; undefined for any other code, and for the link of a person who
 * may no longer connect. A device that is offline or blocked is named.
 */
export async function subjectOfLink(
  deps: SessionRightsDeps,
  digest: string,
): Promise<SessionSubject | undefined> {
  const { store, now } = deps;
  const link = await store.links.unused(digest, now());
  if (!link) return undefined;
  const rights = await rightsOf(link, deps);
  return isProblem(rights) && lasting.has(rights.code) ? undefined : subjectOf(store, link);
}
