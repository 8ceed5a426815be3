/** Who may open a session, and what they may do in it. The rights are read again each time, because they may have changed since the link was created. */
import { defaultPolicy, type Policy } from '@drawbridge/contract/policy';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { isProblem, type OpeningProblem } from '@drawbridge/contract/session/problem';
import type { SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import type { Actor } from '../domain/people/access.ts';
import type { ProviderSignIn } from '../domain/people/provider.ts';
import { isOnline } from '../domain/devices/agents.ts';
import { effectivePolicy, enforcesPolicy, permissionsUnderPolicy } from '../domain/devices/policies.ts';
import { isDisabled } from '../domain/people/plan.ts';
import {
  clientNameFor,
  needsConsent,
  permissionsOnDevice,
  permissionsWithClient,
  isOriginAllowed,
  devicePermissions,
  type SessionOrigin,
} from '../domain/sessions/sessions.ts';
import { isOpen, statusAt } from '../domain/support.ts';
import type { Reads } from '../store/store.ts';
import { refusals } from './refusals.ts';

/** The account, the person and the device or invitation of a link or a session. */
export interface SessionBinding {
  accountId: number;
  memberId: number | null;
  agentId: number | null;
  invitationId: number | null;
  origin: SessionOrigin;
  /** How the person signed in to the panel where they created the link, if it was with an identity provider. */
  signIn?: ProviderSignIn | undefined;
}

export interface SessionRights {
  permissions: SessionPermission[];
  /**
   * What a running session needs to continue: a device that enforces its policy ends what it forbids itself, so that the
   * session can go on without it.
   */
  lasting: SessionPermission[];
  /** The policy of the device; the default for an invitation. */
  policy: Policy;
  /** Whether the person at the device must agree first. */
  confirm: boolean;
  /** The e-mail address of the person whose rights these are; empty for anyone who used the password of the device. */
  login: string;
  /** How the operator is named to the others in the session. */
  name: string;
  /** Why they were given access to the device for a while; empty if it lasts. */
  reason: string;
  device: OpenReply['device'];
}

export interface SessionRightsDeps {
  store: Reads;
  now(): number;
  /** How long an invitation waits for a client, in seconds. */
  invitationLifetime: number;
}

/** How the operator is named, by the origin of the session and the e-mail address of the person who created the link. */
const displayNames: Record<SessionOrigin, (email: string) => string> = {
  api: (email) => email,
  permanent: () => 'Somebody with the password of the device',
  onetime: (email) => `${email}, by a one-time link`,
  operator: (email) => `${email}, by the operator’s link`,
};

export async function rightsOf(
  binding: SessionBinding,
  deps: SessionRightsDeps,
): Promise<SessionRights | OpeningProblem> {
  const { accountId, memberId, origin } = binding;
  const actor = memberId === null ? undefined : await deps.store.actors.byId(accountId, memberId);
  // Every link except the one with a password belongs to a person and gives that person's rights.
  if (origin !== 'permanent' && !actor) return refusals.forbidden;
  const rights = await (binding.agentId === null
    ? invitationRights(binding, actor, deps)
    : deviceRights(binding, binding.agentId, actor, deps));
  if (isProblem(rights)) return rights;
  if (rights.permissions.length === 0) return refusals.forbidden;
  const login = actor?.email ?? '';
  return { ...rights, login, name: displayNames[origin](login) };
}

type TargetRights = Omit<SessionRights, 'login' | 'name'> | OpeningProblem;

async function deviceRights(
  { accountId, memberId, origin }: SessionBinding,
  id: number,
  actor: Actor | undefined,
  { store, now }: SessionRightsDeps,
): Promise<TargetRights> {
  const agent = await store.agents.find({ accountId, memberId: memberId ?? 0 }, { id });
  if (!agent) return refusals.used;
  if (!agent.approved) return refusals.waiting;
  if (!isOriginAllowed(origin, agent)) return refusals.forbidden;
  const held = origin === 'permanent' ? devicePermissions : actor ? permissionsOnDevice(actor, agent) : [];
  if (held.length === 0) return refusals.forbidden;
  if (isDisabled(agent, await store.plan.state(accountId), now())) return refusals.disabled;
  const key = isOnline(agent, now()) ? await store.deviceIdentity.publicKey(accountId, id) : undefined;
  if (key === undefined) return refusals.offline;
  const policy = effectivePolicy(agent.policies);
  const permissions = permissionsUnderPolicy(held, policy, enforcesPolicy(agent));
  return {
    permissions,
    lasting: enforcesPolicy(agent) ? [...held] : permissions,
    policy,
    confirm: needsConsent(policy.confirm, origin === 'api' ? actor : undefined, agent),
    reason:
      origin === 'permanent' || memberId === null
        ? ''
        : await store.requests.reason({ accountId, memberId }, agent),
    device: { id, name: agent.name, os: agent.os, key },
  };
}

/** The client's program always asks for consent. */
async function invitationRights(
  { accountId, invitationId, origin }: SessionBinding,
  actor: Actor | undefined,
  { store, now, invitationLifetime }: SessionRightsDeps,
): Promise<TargetRights> {
  const invitation = await store.invitations.find(accountId, invitationId ?? 0);
  if (!invitation || !isOpen(statusAt(invitation, now(), invitationLifetime))) return refusals.used;
  const { clientKey: key, clientOs: os } = invitation;
  const name = clientNameFor(invitation, actor, origin) || 'Quick support';
  const permissions = actor ? permissionsWithClient(actor, invitation) : [];
  return {
    permissions,
    lasting: permissions,
    policy: defaultPolicy,
    confirm: true,
    reason: '',
    device: { id: 0, name, os, ...(key !== '' && { key }) },
  };
}
