/** Who may open a session, and what they may do in it: asked anew each time, whatever was true when the link was made. */
import type { OpenReply, OpenRefusal } from '@drawbridge/contract/session/open';
import type { SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import type { Actor } from '../domain/access.ts';
import { isOnline, type Agent } from '../domain/agents.ts';
import { isDisabled } from '../domain/plan.ts';
import {
  needsConsent,
  permissionsOnDevice,
  permissionsWithClient,
  isOriginAllowed,
  devicePermissions,
  type SessionOrigin,
} from '../domain/sessions.ts';
import { isOpen, statusAt } from '../domain/support.ts';
import type { Reads } from '../store/store.ts';
import { isRefusal, refusals } from './refusals.ts';

/** What a link or a session is bound to. */
export interface SessionBinding {
  accountId: number;
  memberId: number | null;
  agentId: number | null;
  invitationId: number | null;
  origin: SessionOrigin;
}

export interface SessionRights {
  permissions: SessionPermission[];
  /** The person at the device is asked first. */
  confirm: boolean;
  /** The e-mail address of the person whose rights these are; empty for those who came by the password. */
  login: string;
  /** Who that is to the others in the session. */
  name: string;
  device: OpenReply['device'];
}

export interface SessionRightsDeps {
  store: Reads;
  now(): number;
  /** How long an invitation waits for somebody to join, in seconds. */
  invitationLifetime: number;
}

/** Who that is to the others in the session, by the origin and the address of the person whose link it was. */
const displayNames: Record<SessionOrigin, (email: string) => string> = {
  api: (email) => email,
  permanent: () => 'Somebody with the password of the device',
  onetime: (email) => `${email}, by a one-time link`,
  operator: (email) => `${email}, by the operator’s link`,
};

export async function rightsOf(
  binding: SessionBinding,
  deps: SessionRightsDeps,
): Promise<SessionRights | OpenRefusal> {
  const { accountId, memberId, origin } = binding;
  const actor = memberId === null ? undefined : await deps.store.actors.byId(accountId, memberId);
  // Every link but the one with a password is somebody's, and gives what that person holds.
  if (origin !== 'permanent' && !actor) return refusals.forbidden;
  const rights = await (binding.agentId === null
    ? invitationRights(binding, actor, deps)
    : deviceRights(binding, binding.agentId, actor, deps));
  if (isRefusal(rights)) return rights;
  if (rights.permissions.length === 0) return refusals.forbidden;
  const login = actor?.email ?? '';
  return { ...rights, login, name: displayNames[origin](login) };
}

type TargetRights = Omit<SessionRights, 'login' | 'name'> | OpenRefusal;

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
  const permissions =
    origin === 'permanent' ? [...devicePermissions] : actor ? permissionsOnDevice(actor, agent) : [];
  if (permissions.length === 0) return refusals.forbidden;
  if (isDisabled(agent, await store.plan.state(accountId), now())) return refusals.disabled;
  const key = isOnline(agent, now()) ? await store.deviceIdentity.publicKey(accountId, id) : undefined;
  if (key === undefined) return refusals.offline;
  const confirm = needsConsent(await confirmOf(agent, store), origin === 'api' ? actor : undefined, agent);
  return { permissions, confirm, device: { id, name: agent.name, os: agent.os, key } };
}

const confirmOf = async ({ accountId, groupId }: Agent, store: Reads) =>
  (groupId === null ? undefined : await store.groups.settings(accountId, groupId))?.confirm ?? 'never';

/** The client's own program always asks. */
async function invitationRights(
  { accountId, invitationId, origin }: SessionBinding,
  actor: Actor | undefined,
  { store, now, invitationLifetime }: SessionRightsDeps,
): Promise<TargetRights> {
  const invitation = await store.invitations.find(accountId, invitationId ?? 0);
  if (!invitation || !isOpen(statusAt(invitation, now(), invitationLifetime))) return refusals.used;
  const { clientKey: key, clientOs: os, clientName } = invitation;
  // Names of clients are for the owner alone, not for whom they gave a link.
  const name = origin === 'api' && actor?.owner && clientName !== '' ? clientName : 'Quick support';
  return {
    permissions: actor ? permissionsWithClient(actor, invitation) : [],
    confirm: true,
    device: { id: 0, name, os, ...(key !== '' && { key }) },
  };
}
