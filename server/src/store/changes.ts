/** Every change of the store by name: its input, its output and the faults it can return. */
import type { Fault, FaultName } from '@drawbridge/contract/faults';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/devices/agents.ts';
import type { ChangedWebhook, WebhookAnswer, WebhookSettings } from '../domain/webhooks.ts';
import type { PolicyChange } from '../domain/devices/policies.ts';
import type { UpdateProgress, UpdateSettings } from '../domain/devices/updates.ts';
import type {
  ChangedSettings,
  DirectoryReading,
  DirectorySettings,
} from '../domain/people/directory-connection.ts';
import type { ImportReport, ImportTarget } from '../domain/people/directory-report.ts';
import type { GroupEdit, ScimGroup } from '../domain/scim/group.ts';
import type { PatchOperation } from '../domain/scim/patch.ts';
import type { ScimUser, UserContent } from '../domain/scim/user.ts';
import type { Passkey } from '../domain/people/factors.ts';
import type { Member } from '../domain/people/members.ts';
import type { Plan } from '../domain/people/plan.ts';
import type {
  ChangedProvider,
  ProviderLogout,
  ProviderSettings,
  ProviderSignIn,
  SsoPerson,
} from '../domain/people/provider.ts';
import type { OnetimeLink, PermanentLinkUpdate, SingleUseLink } from '../domain/sessions/links.ts';
import type { SignInStep, SignInStepKind, MemberRef } from '../domain/people/panel.ts';
import type { SessionOrigin } from '../domain/sessions/sessions.ts';
import type { InvitationEvent, Invitation } from '../domain/support.ts';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { NotificationKind } from '@drawbridge/contract/choices';
import type { NotificationRound, Subscription } from '../domain/notifications/notifications.ts';
import type { ItemRef, NotificationItem } from './notifications/notification-records.ts';
import type { NodeRecord, NodesAlive, NodesJoined } from './nodes/node-records.ts';
import type { NewPanelSession } from './people/panel-records.ts';
import type { SecretCounts } from './secrets/secret-box.ts';
import type { AccessRequestSettings, NewAccessRequest } from '../domain/people/access-requests.ts';
import type {
  AccountSettings,
  AttachedFile,
  EndedBy,
  DeviceRef,
  OrphanedBlob,
  NewAgent,
  ObjectRef,
  RecordedChunk,
  RecordingKeys,
  Session,
} from './records.ts';

/** A grant of a role to a person or a department, on the device or group that the role's type requires. */
export interface GrantInput {
  accountId: number;
  /** The person who grants. */
  by: number;
  holder: { email: string } | { departmentId: number };
  roleId: number;
  agentId?: number | undefined;
  groupId?: number | undefined;
  /** When it ends; absent for a grant without an end. */
  until?: number | undefined;
}

/** A group at an identity provider, and the department that it belongs to. */
interface ProviderGroupRef {
  accountId: number;
  id: number;
  group: string;
  departmentId: number;
}

interface NewKey {
  digest: string;
  prefix: string;
  name: string;
  expireTime: number | null;
  networks: readonly string[];
}

interface NewAccount {
  email: string;
  key?: NewKey;
  signIn: { digest: string; expireTime: number };
}

/** A step of signing in that another request finishes. Only its digest is stored. */
export interface NewSignInStep extends SignInStep {
  digest: string;
  kind: SignInStepKind;
  tries: number;
  expireTime: number;
}

/** What a device reports about itself when it connects, and where it connects from. */
export interface DeviceReport {
  facts: Facts;
  fingerprint?: Fingerprint | undefined;
  geo: Geo;
}

/** The token of an identity provider, with whose rights a change is made. */
interface TokenRef {
  accountId: number;
  tokenId: number;
}

/** The output of a change that has nothing to return. */
export type Done = Record<string, never>;

/** Where the picture of a brand is: in the database, in the blob store or in both. */
interface PicturePlace {
  accountId: number;
  digest: string;
  /** The picture in base64; empty to leave it out of the database. */
  logo: string;
  /** Empty if it is not in the blob store. */
  blobKey: string;
  size: number;
}

interface ChangeRow<In, Out> {
  /** Input and output are types only: no row holds a value of them. */
  readonly in: In;
  readonly out: Out;
  readonly faults: readonly FaultName[];
}

const row = <In, Out>(faults: readonly FaultName[]) => ({ faults }) as ChangeRow<In, Out>;

/** A change that always succeeds, unless `refusing` names the faults it can return. */
const change = <In, Out = Done>() => ({
  ...row<In, Out>([]),
  refusing: <Name extends FaultName>(...faults: Name[]) => row<In, Out | Fault<Name>>(faults),
});

export const changeTable = {
  'accounts/create': change<NewAccount, { accountId: number; memberId: number }>().refusing('invalid'),
  /** Creates the first account, at most once, even if several processes ask. */
  'accounts/first': change<NewAccount, { created: boolean }>(),
  'plan/set': change<{ accountId: number; plan: Partial<Plan> }>(),
  /** Refused when the link would let the inviter sign in as somebody with team permissions beyond their own. */
  'members/invite': change<
    {
      accountId: number;
      /** Who invites; absent for the server administrator. */
      by?: number;
      email: string;
      /** A link that is shown to the inviter. It works only while the inviter holds every right of the person. */
      link: { digest: string; expireTime: number };
      /**
       * A link that is sent only to the person. With it, a person who holds more rights than the inviter can be invited
       * again.
       */
      emailedLink?: { digest: string };
    },
    {
      id: number;
      /** Whether the first link was created too. */
      shown: boolean;
    }
  >().refusing('invalid', 'forbidden'),
  'members/remove': change<{ accountId: number; email: string }>().refusing('invalid', 'not_found'),
  /** Uses up a sign-in or invitation link. An invited person becomes active, and is signed in or asked for a code. */
  'members/sign-in': change<
    { digest: string; session?: NewPanelSession; step?: NewSignInStep },
    MemberRef
  >().refusing('not_found', 'forbidden'),
  /** Sets the name that others see beside the person's e-mail address; an empty one removes it. */
  'members/name': change<MemberRef & { name: string }>().refusing('not_found'),
  /** Sets a person's password and ends their other panel sessions. */
  'members/password': change<MemberRef & { password: string; keep: number }>().refusing('not_found'),
  /** Refused when the password that somebody signs in with has changed meanwhile, or the account forbids the method. */
  'panel/sessions/open': change<
    MemberRef & { session: NewPanelSession; password?: string },
    { id: number }
  >().refusing('not_found', 'forbidden'),
  /**
   * The person has confirmed their identity: replaces the cookie of the request. Refused when that cookie is no longer
   * valid.
   */
  'panel/sessions/renew': change<{
    accountId: number;
    id: number;
    digest: string;
    instead: string;
  }>().refusing('not_found'),
  'panel/sessions/seen': change<{ accountId: number; id: number }>(),
  'panel/sessions/end': change<MemberRef & { id: number }>().refusing('not_found'),
  'panel/sessions/end-all': change<MemberRef>(),
  'panel/steps/begin': change<NewSignInStep>(),
  /** Counts an attempt of a step that allows several; refused when none is left. */
  'panel/steps/try': change<{ digest: string; kind: SignInStepKind }, SignInStep>().refusing('not_found'),
  /** Uses up a step. One statement decides between concurrent attempts. */
  'panel/steps/take': change<{ digest: string; kind: SignInStepKind }, SignInStep>().refusing('not_found'),
  /** Deletes the sessions and steps that have expired. */
  'panel/sweep': change<{ seenBefore: number; bornBefore: number }>(),
  /** Creates a link that opens a session. Refused when it would give its creator rights that they do not hold. */
  'members/reset': change<
    {
      accountId: number;
      /** Who creates it; absent when the person asked by e-mail, or for the server administrator. */
      by?: number;
      email: string;
      link: { digest: string; expireTime: number };
      /** Also removes authenticator app, recovery codes and passkeys. */
      forget: boolean;
    },
    { memberId: number }
  >().refusing('invalid', 'forbidden', 'not_found'),
  /** Stores a secret that counts once it is confirmed, and replaces one that was not. */
  'factors/totp/begin': change<MemberRef & { secret: string }>().refusing('invalid'),
  'factors/totp/confirm': change<
    MemberRef & { secret: string; step: number; recovery: readonly string[] }
  >().refusing('not_found'),
  /** Uses the code of this TOTP time step. Refused when this or a later step was used before. */
  'factors/totp/use': change<MemberRef & { step: number }>().refusing('not_found'),
  /** Removes the recovery codes too. */
  'factors/totp/remove': change<MemberRef>().refusing('not_found'),
  'factors/recovery/renew': change<MemberRef & { recovery: readonly string[] }>().refusing('not_found'),
  'factors/recovery/use': change<MemberRef & { digest: string }>().refusing('not_found'),
  'factors/passkey/add': change<
    MemberRef & Pick<Passkey, 'credential' | 'publicKey' | 'counter' | 'transports' | 'name'>,
    { id: number }
  >().refusing('invalid'),
  /**
   * Refused when the counter of the passkey is not higher than before: the passkey was copied, or the response was
   * replayed.
   */
  'factors/passkey/used': change<{ accountId: number; id: number; counter: number }>().refusing('not_found'),
  /** Refused when the person has no other way to sign in. */
  'factors/passkey/remove': change<MemberRef & { id: number }>().refusing('not_found', 'invalid'),
  'keys/create': change<{ accountId: number; memberId: number; key: NewKey }, { id: number }>().refusing(
    'not_found',
  ),
  'keys/revoke': change<{ accountId: number; memberId: number | 'all'; id: number }>().refusing('not_found'),
  'keys/used': change<{ uses: { accountId: number; keyId: number; time: number }[] }>(),
  /** Makes somebody a server administrator. */
  'operators/add': change<{ member: Pick<Member, 'accountId' | 'id'> }>().refusing('not_found'),
  /** Refused for the last server administrator, unless `evenLast` is set. */
  'operators/remove': change<{ member: Pick<Member, 'accountId' | 'id'>; evenLast: boolean }>().refusing(
    'not_found',
    'invalid',
  ),
  'brands/update': change<{ accountId: number; name?: string | undefined; accent?: string | undefined }>(),
  /** `replaced` is the key of the picture before in the blob store; empty if it was not there. */
  'brands/logo': change<PicturePlace & { type: string }, { replaced: string }>(),
  'brands/remove-logo': change<{ accountId: number }, { replaced: string }>(),
  /** Tells where the picture is now. Changes nothing if it was replaced meanwhile. */
  'brands/place-logo': change<PicturePlace & { before: string }>(),
  'groups/create': change<{ accountId: number; name: string; order?: number | undefined }, { id: number }>(),
  'groups/edit': change<{
    accountId: number;
    id: number;
    name?: string | undefined;
    order?: number | undefined;
  }>().refusing('not_found'),
  /** Puts these groups into this order; all others keep their positions. */
  'groups/order': change<{ accountId: number; ids: readonly number[] }>().refusing('not_found'),
  'groups/remove': change<{ accountId: number; id: number }>().refusing('not_found'),
  'groups/policy': change<{ accountId: number; id: number; policy: PolicyChange }>().refusing('not_found'),
  'agents/add': change<NewAgent, { id: number; deviceId: number }>(),
  'agents/rename': change<{ accountId: number; id: number; name: string }>().refusing('not_found'),
  'agents/policy': change<{ accountId: number; id: number; policy: PolicyChange }>().refusing('not_found'),
  /** Refused when `before` is given and the notes have changed meanwhile. */
  'agents/notes': change<{ accountId: number; id: number; notes: string; before?: string }>().refusing(
    'not_found',
    'invalid',
  ),
  'agents/update': change<{
    accountId: number;
    /** Who changes the permanent link. They could use it if they enable it or set its password. */
    by: number;
    id: number;
    name?: string | undefined;
    /** The fields of the permanent link that were sent, with the password as its hash. */
    permanent?: PermanentLinkUpdate | undefined;
  }>().refusing('not_found', 'path_taken', 'invalid_password', 'forbidden'),
  /** Puts a device into a group, or into none. Refused when the caller would gain rights on the device. */
  'agents/move': change<{ accountId: number; by: number; id: number; groupId: number | null }>().refusing(
    'not_found',
    'forbidden',
  ),
  'agents/remove': change<{ accountId: number; id: number }>().refusing('not_found'),
  'agents/merge': change<{ accountId: number; by: number; sourceId: number; targetId: number }>().refusing(
    'not_found',
    'forbidden',
  ),
  'agents/favor': change<{ accountId: number; memberId: number; id: number; favorite: boolean }>(),
  /** Refused when the account already has all the files that its plan allows. */
  'files/add': change<Omit<AttachedFile, 'id' | 'time'>, { id: number }>().refusing(
    'plan_exceeded',
    'not_found',
  ),
  /** Returns the key of the blob that nothing refers to any more. */
  'files/remove': change<{ accountId: number; id: number }, { blobKey: string; agentId: number }>().refusing(
    'not_found',
  ),
  'enroll/create': change<
    {
      accountId: number;
      memberId: number;
      digest: string;
      groupId: number | null;
      uses: number;
      expireTime: number;
    },
    { id: number }
  >().refusing('not_found'),
  'enroll/revoke': change<{ accountId: number; id: number }>().refusing('not_found'),
  /** A device joins with a token. One statement decrements the uses of the token. */
  'enroll/join': change<
    { token: string; publicKey: string; deviceIds: readonly number[]; secret: string } & DeviceReport,
    DeviceRef
  >().refusing('not_found'),
  /** A device has proved its identity: stores its facts, gives it the next epoch, and detects a copied key. */
  'devices/arrive': change<
    { accountId: number; id: number; presented: string; epoch: string; uplinkVersion: number } & DeviceReport,
    { name: string; approved: boolean; owner: string; copied: boolean; updates: boolean }
  >().refusing('not_found'),
  /** The device has stored the epoch on disk: the previous one is no longer valid. */
  'devices/kept': change<{ accountId: number; id: number; epoch: string }>(),
  'devices/facts': change<{ accountId: number; id: number } & DeviceReport>(),
  'devices/hardware': change<{ accountId: number; id: number; hardware: string }>(),
  'devices/software': change<{ accountId: number; id: number; software: string }>(),
  'devices/approve': change<{ accountId: number; id: number }>().refusing('not_found'),
  'devices/clear-copied': change<{ accountId: number; id: number }>().refusing('not_found'),
  /** Refused when a group does not exist. */
  'updates/settings': change<{ accountId: number } & Partial<UpdateSettings>>().refusing('not_found'),
  'updates/pause': change<{ accountId: number; by: 'person' | 'failures' }>(),
  /** Devices that failed or refused are asked again. */
  'updates/resume': change<{ accountId: number }>(),
  'updates/pin': change<{ accountId: number; id: number; pin: string }>().refusing('not_found'),
  /** Notes which devices are asked to update. Returns none if updates are paused or another server has asked in this round. */
  'updates/ask': change<
    { accountId: number; version: string; ids: readonly number[] },
    { asked: readonly number[] }
  >(),
  /** What a device said about its update. */
  'updates/report': change<{
    accountId: number;
    id: number;
    progress: UpdateProgress;
    version: string;
    message: string;
  }>(),
  'accounts/settings': change<
    { accountId: number; policy?: PolicyChange } & Partial<Omit<AccountSettings, 'policy'>>
  >(),
  /** Stores the key that identifies the server, at most once; later calls return the first key. */
  'server/identity': change<
    { privateKey: string; publicKey: string },
    { privateKey: string; publicKey: string }
  >(),
  /** The clock of the machine has jumped: what counts as present until a time is moved along with it. */
  /** Stores nothing new, but fails if nothing can be stored. */
  'server/probe': change<Record<never, never>>(),
  'server/clock-jump': change<{ seconds: number }>(),
  /** The keys of messages between nodes, oldest first. Stores `fresh` as a new key when the newest is too old. */
  'bus/keys': change<{ fresh: string }, { keys: readonly { id: number; secret: string }[] }>(),
  /** Seals the secrets of other systems that are in clear or sealed with an older key, and counts all of them. */
  'secrets/seal': change<Record<never, never>, SecretCounts>(),
  /** A server starts on the database. It replaces an earlier start under its name that is alive until `replaces`, and no other. */
  'nodes/join': change<NodeRecord & { aliveUntil: number; replaces?: number | undefined }, NodesJoined>(),
  /** Renews the entry of a server: returns the others that are alive. */
  'nodes/alive': change<NodeRecord & { aliveUntil: number }, NodesAlive>(),
  'nodes/leave': change<{ id: string }>(),
  /** Devices whose connection has ended; those that are connected to another node by now stay online. */
  'presence/end': change<{ node: string; ids: readonly number[] }, { left: readonly ObjectRef[] }>(),
  /** Returns the devices that no longer exist, and those that were not online before. */
  'presence/renew': change<
    { node: string; agents: readonly { id: number }[]; leaseUntil: number },
    { gone: readonly number[]; came: readonly ObjectRef[] }
  >(),
  /** Extends all leases of a node that have not expired, without naming them, and returns their devices. */
  'presence/extend': change<{ node: string; leaseUntil: number }, { held: readonly number[] }>(),
  /** A node restarts: the leases that it held before are released. With `all`, those of every node. */
  'presence/release': change<{ node: string }, { left: readonly ObjectRef[] }>(),
  'roles/create': change<
    {
      accountId: number;
      name: string;
      type: RoleType;
      description: string;
      permissions: readonly Permission[];
    },
    { id: number }
  >(),
  'roles/edit': change<{
    accountId: number;
    by: number;
    id: number;
    name?: string | undefined;
    description?: string | undefined;
    permissions?: readonly string[] | undefined;
  }>().refusing('not_found', 'invalid', 'forbidden'),
  'roles/remove': change<{ accountId: number; id: number }>().refusing('not_found', 'invalid'),
  'access/add': change<GrantInput>().refusing('not_found', 'invalid', 'forbidden'),
  'access/remove': change<GrantInput>().refusing('not_found', 'invalid'),
  /** Asks for a role on a device or group that the person sees. Returns the addresses of those who may decide. */
  'requests/create': change<NewAccessRequest, { id: number; deciders: readonly string[] }>().refusing(
    'not_found',
    'invalid',
  ),
  /** The same without an approval, if the account allows it. */
  'requests/emergency': change<
    NewAccessRequest,
    { id: number; until: number; deciders: readonly string[] }
  >().refusing('not_found', 'invalid', 'forbidden'),
  /** Refused for one's own request, beyond the rights of the person who approves, and when it was decided before. */
  'requests/approve': change<
    { accountId: number; by: number; id: number; minutes?: number | undefined },
    { memberId: number; email: string; until: number }
  >().refusing('not_found', 'invalid', 'forbidden'),
  'requests/deny': change<
    { accountId: number; by: number; id: number; decision: string },
    { memberId: number; email: string }
  >().refusing('not_found', 'invalid', 'forbidden'),
  /** Withdraws a request that waits, or ends the access that was given. */
  'requests/cancel': change<{ accountId: number; by: number; id: number }, { memberId: number }>().refusing(
    'not_found',
    'invalid',
  ),
  /** Only the owner of the account can change `emergency`. */
  'requests/settings': change<{ accountId: number; by: number } & Partial<AccessRequestSettings>>().refusing(
    'forbidden',
  ),
  /** Removes grants that ended, and old requests. */
  'requests/sweep': change<{ createdBefore: number }, { ended: readonly MemberRef[] }>(),
  'departments/create': change<{ accountId: number; name: string; worker: boolean }, { id: number }>(),
  'departments/update': change<{ accountId: number; id: number; name?: string | undefined }>().refusing(
    'not_found',
    'invalid',
  ),
  'departments/remove': change<{ accountId: number; id: number }>().refusing('not_found'),
  'departments/member-add': change<{ accountId: number; by: number; id: number; email: string }>().refusing(
    'not_found',
    'forbidden',
    'invalid',
  ),
  'departments/member-remove': change<{ accountId: number; id: number; email: string }>().refusing(
    'not_found',
    'invalid',
  ),
  /** Refused with `signIn`, unless by a server administrator. */
  'directories/create': change<
    { accountId: number; by: number; bindPassword: string; settings: DirectorySettings },
    { id: number }
  >().refusing('invalid', 'forbidden'),
  /**
   * Refused when the password would be sent to another server and is not given again, and with `signIn` unless by a
   * server administrator.
   */
  'directories/update': change<{
    accountId: number;
    by: number;
    id: number;
    bindPassword?: string | undefined;
    settings: ChangedSettings;
  }>().refusing('not_found', 'invalid', 'forbidden'),
  /** The people and departments that came from it stay. */
  'directories/remove': change<{ accountId: number; id: number }>().refusing('not_found'),
  /**
   * Returns the directory that has been due for longest, to one caller, and sets when it is due again. Those of the named
   * accounts are left out.
   */
  'directories/claim': change<{ exceptAccounts: readonly number[] }, { due: ImportTarget | undefined }>(),
  /**
   * Changes people and departments to what was read, or nothing, and records which. Refused when it would give anybody
   * more than the person `by` could give.
   */
  'directories/apply': change<
    ImportTarget & {
      reading: DirectoryReading;
      /** The share of people or memberships that may be taken away although it exceeds the limit; 0 if nobody confirmed any. */
      confirmedPercent: number;
    },
    ImportReport
  >().refusing('not_found', 'forbidden'),
  'providers/create': change<
    {
      accountId: number;
      by: number;
      issuer: string;
      clientSecret: string;
      /** Names the provider on the sign-in page; nobody can guess it. */
      signInName: string;
      settings: ProviderSettings;
    },
    { id: number }
  >().refusing('invalid'),
  /**
   * Disabling ends the panel sessions that it opened. Refused where people can sign in only with a provider and the owner
   * would have none, and for settings that decide who people are once others than `by` depend on them.
   */
  'providers/update': change<{
    accountId: number;
    by: number;
    id: number;
    clientSecret?: string | undefined;
    settings: ChangedProvider;
  }>().refusing('not_found', 'invalid', 'forbidden'),
  'providers/remove': change<{ accountId: number; id: number }>().refusing('not_found', 'invalid'),
  /** Refused when the department gives team permissions that the person `by` does not hold. */
  'providers/group-add': change<ProviderGroupRef & { by: number }>().refusing(
    'not_found',
    'invalid',
    'forbidden',
  ),
  'providers/group-remove': change<ProviderGroupRef>().refusing('not_found'),
  /** Decides whether people can sign in only with a provider. The person must be the owner, and have signed in with one. */
  'providers/require': change<MemberRef & { onlySso: boolean }>().refusing('invalid', 'forbidden'),
  /**
   * Signs in the person who is bound to the subject, after an invited or a new one was bound if the provider allows it.
   * Their departments follow their groups. Opens the session, unless the person must enter a code first.
   */
  'providers/sign-in': change<
    { accountId: number; id: number; person: SsoPerson; session: NewPanelSession },
    { memberId: number; asksForCode: boolean }
  >().refusing('forbidden'),
  /** Binds a signed-in person to the subject. Refused if the person responsible for the provider has fewer rights. */
  'providers/link': change<MemberRef & { id: number; person: SsoPerson }>().refusing(
    'not_found',
    'invalid',
    'forbidden',
  ),
  'providers/unlink': change<MemberRef & { id: number }>().refusing('not_found', 'invalid'),
  /**
   * Ends the panel sessions, unused links and connections that began with a sign-in at the provider, or with all of a
   * person. Refused when the request was used before.
   */
  'providers/logout': change<
    { accountId: number; id: number; logout: ProviderLogout; rememberUntil: number },
    { ended: readonly (ObjectRef & { invitationId: number | null })[] }
  >().refusing('invalid'),
  /** Refused when the account has too many. */
  'scim/token-create': change<
    {
      accountId: number;
      memberId: number;
      token: { digest: string; prefix: string; name: string; expireTime: number | null };
    },
    { id: number }
  >().refusing('invalid'),
  'scim/token-remove': change<{ accountId: number; id: number }>().refusing('not_found'),
  'scim/token-used': change<{ accountId: number; id: number }>(),
  /** Adds a person, or brings back one whom the identity provider has deleted. */
  'scim/user-create': change<TokenRef & { content: UserContent }, ScimUser>().refusing(
    'invalid',
    'forbidden',
  ),
  /** Refused for the address of somebody who has more rights than the creator of the token. */
  'scim/user-update': change<
    TokenRef & { id: number; edit: { content: UserContent } | { operations: readonly PatchOperation[] } },
    ScimUser
  >().refusing('invalid', 'forbidden', 'not_found'),
  /** Disables the person, whom the identity provider then no longer sees. */
  'scim/user-remove': change<TokenRef & { id: number }>().refusing('forbidden', 'not_found'),
  'scim/group-create': change<TokenRef & { edit: GroupEdit & { name: string } }, ScimGroup>().refusing(
    'invalid',
    'forbidden',
  ),
  /** Refused when it would give anybody more than the creator of the token could give. */
  'scim/group-update': change<TokenRef & { id: number; edit: GroupEdit }, ScimGroup>().refusing(
    'invalid',
    'forbidden',
    'not_found',
  ),
  /** The department stays, without members. */
  'scim/group-remove': change<TokenRef & { id: number }>().refusing('forbidden', 'not_found'),
  'webhooks/create': change<
    { accountId: number; secret: string; settings: WebhookSettings },
    { id: number }
  >().refusing('invalid'),
  /** Disabling drops the messages that wait. */
  'webhooks/update': change<{ accountId: number; id: number; settings: ChangedWebhook }>().refusing(
    'not_found',
  ),
  /** The secret so far signs too until `oldUntil`; the one before it no longer does. */
  'webhooks/renew': change<{
    accountId: number;
    id: number;
    secret: string;
    oldUntil: number;
  }>().refusing('not_found'),
  'webhooks/remove': change<{ accountId: number; id: number }>().refusing('not_found'),
  /** Takes messages that are due, at most one for each webhook. Another process tries them from `until` on. */
  'webhooks/claim': change<
    { until: number; limit: number },
    { claimed: readonly { id: number; accountId: number; attempts: number }[] }
  >(),
  /** Notes what came of an attempt. Tells if the webhook has failed for too long and is now disabled. */
  'webhooks/settle': change<
    { accountId: number; id: number; attempts: number; answer: WebhookAnswer },
    { disabled?: { name: string; admins: readonly string[] } }
  >(),
  'invitations/create': change<
    {
      accountId: number;
      memberId: number;
      clientName: string;
      /** Codes to try in order; the first that no open invitation uses is taken. */
      codes: readonly string[];
      connectToken: string;
    },
    Invitation
  >().refusing('plan_exceeded', 'not_found'),
  'invitations/rename': change<{ accountId: number; id: number; name?: string | undefined }>().refusing(
    'not_found',
  ),
  'invitations/happen': change<
    {
      accountId: number;
      id: number;
      event: InvitationEvent;
      lifetime: number;
      client?: { os: Invitation['clientOs']; preview: string };
    },
    Invitation
  >().refusing('not_found', 'invalid'),
  /**
   * A client joins, or returns with the same key, in which case its absence is not noticed. A client with another key
   * is refused (`client_taken`).
   */
  'invitations/join': change<
    {
      code: string;
      key: string;
      /** The connection of the client. */
      holder?: string;
      os: Invitation['clientOs'];
      /** The last part of the address of the client's picture, after the number of the invitation. */
      preview: string;
      /** When the client counts as gone unless renewed. */
      until: number;
      lifetime: number;
    },
    { invitation: Invitation; owner: string }
  >().refusing('not_found', 'invalid'),
  /** The connections of these clients are open. Clients with a key that is no longer current are not renewed. */
  'invitations/renew': change<{
    /** `holder`: their connections. A client that has joined with another one is not renewed. */
    clients: readonly { id: number; key: string; holder?: string }[];
    until: number;
  }>(),
  /** The client leaves on its own. */
  'invitations/leave': change<{ accountId: number; id: number; key: string }>(),
  /** Marks clients whose time has expired as gone, whichever process held their connections. */
  'invitations/lapse': change<Record<string, never>, { left: readonly ObjectRef[] }>(),
  /** Closes the invitations that nobody joined in time, so that their codes can be used again. */
  'invitations/expire': change<{ bornBefore: number }, { closed: readonly ObjectRef[] }>(),
  /** Adds a link, unless its target was removed or closed. */
  'links/add': change<SingleUseLink & { digest: string; expireTime: number }>().refusing(
    'not_found',
    'invalid',
  ),
  /** Uses up the operator's URL of an invitation, for everyone who was shown one, and adds the link that it stands for. */
  'links/add-operator': change<{
    accountId: number;
    memberId: number;
    invitationId: number;
    digest: string;
    expireTime: number;
  }>().refusing('not_found'),
  /** Uses up a link. One statement decides between concurrent attempts. */
  'links/consume': change<{ digest: string }, SingleUseLink>().refusing('not_found'),
  /** Makes a link usable again whose device could not be asked. */
  'links/return': change<{ digest: string }>(),
  /** Uses up the one-time link of this person for this time window. */
  'links/consume-onetime': change<OnetimeLink>().refusing('not_found'),
  'links/sweep': change<{ expiredBefore: number }>(),
  'sessions/start': change<
    Omit<Session, 'endedBy' | 'id' | 'stop' | 'agent' | 'bytes' | 'video' | 'note' | 'reason'> & {
      reason?: string;
      accountId: number;
      memberId: number | null;
      agentId: number | null;
      /** How the operator signed in to the panel, if it was with an identity provider. */
      signIn?: ProviderSignIn | undefined;
      /** Set if the two sides are yet to connect: the session counts from `sessions/begin` on. */
      opening?: {
        origin: SessionOrigin;
        permissions: readonly string[];
        secretDigest: string;
        record: boolean;
        /** The pairing that holds it. */
        holder?: string;
      };
    },
    { id: number }
  >(),
  /** Both sides are connected for the first time, since `start`. Returns the device if it waits for a second person. */
  'sessions/begin': change<{ accountId: number; id: number; start?: number }, { waitsOn: number | null }>(),
  /** They go on, and have carried these bytes since the last time. Those that another pairing holds do not. */
  'sessions/alive': change<{ sessions: readonly { id: number; bytes: number; holder?: string }[] }>(),
  /**
   * The operator was disconnected and may return. Returns the device on which they waited for a second person. If another
   * pairing than `holder` holds the session, only the bytes are added.
   */
  'sessions/cut': change<
    { accountId: number; id: number; bytes: number; holder?: string },
    { waitedOn: number | null }
  >(),
  /** Adds the bytes of a connection that another one has replaced. */
  'sessions/count': change<{ accountId: number; id: number; bytes: number }>(),
  /** The operator returns while the session runs, or shortly after it was considered lost. */
  'sessions/resume': change<{
    accountId: number;
    id: number;
    permissions: readonly string[];
    /** The pairing that holds it from now on. */
    holder?: string;
  }>().refusing('not_found'),
  /**
   * A session that never began is deleted. Returns the invitation that the operator has left, and the device on which it
   * waited for a second person. Refused if another pairing than `holder` holds the session: it goes on there.
   */
  'sessions/stop': change<
    { accountId: number; id: number; bytes: number; by?: EndedBy; holder?: string },
    { invitationId: number | null; waitedOn: number | null }
  >().refusing('not_found'),
  /** The device waits until then for the signature of a second person. Returns the device. */
  'sessions/await-approval': change<
    { accountId: number; id: number; until: number },
    { agentId: number | null }
  >(),
  /** A second person has signed. Returns the device. */
  'sessions/approve': change<{ accountId: number; id: number }, { agentId: number | null }>(),
  'sessions/note': change<{ accountId: number; id: number; note: string }>().refusing('not_found'),
  /** Ends the sessions that were silent since then, at the last time they were known to be alive. */
  'sessions/bury': change<
    { silentSince: number },
    { ended: readonly (ObjectRef & { invitationId: number | null; waitedOn: number | null })[] }
  >(),
  /** Stores the recording keys of an account, at most once; later calls return the first keys. */
  'recordings/keys': change<{ account: number; keys: RecordingKeys }, RecordingKeys>(),
  /** A device is sent into a session that must be recorded. */
  'recordings/begin': change<
    { accountId: number; sessionId: number; tokenDigest: string },
    { id: number }
  >().refusing('not_found'),
  /**
   * Adds the next chunk while the session runs or has just ended. Repeating the last chunk is not a fault: its sender
   * did not receive the response.
   */
  'recordings/chunk': change<
    RecordedChunk & {
      accountId: number;
      id: number;
      /** The public key of the recording. */
      publicKey: string;
      last: boolean;
      /** For the playback addresses, if this is the first chunk of the session. */
      secret: string;
    },
    { repeated: boolean }
  >().refusing('not_found', 'invalid', 'plan_exceeded'),
  /** Returns the blobs that nothing refers to any more. */
  'recordings/remove': change<
    { accountId: number; sessionId: number },
    { left: readonly OrphanedBlob[] }
  >().refusing('not_found'),
  /** Removes some recordings of sessions that ended before then, and older ones that stayed empty. */
  'recordings/sweep': change<
    { endedBefore: number; emptySince: number },
    { left: readonly OrphanedBlob[]; more: boolean }
  >(),
  /** Subscribes a person, or replaces their subscription of the same device or group. */
  'notifications/subscribe': change<
    MemberRef & Pick<Subscription, 'agentId' | 'groupId' | 'kinds' | 'minutes'>,
    { id: number }
  >().refusing('not_found', 'invalid'),
  'notifications/unsubscribe': change<MemberRef & { id: number }>().refusing('not_found'),
  'notifications/settings': change<MemberRef & { mail: readonly NotificationKind[] }>(),
  /** Marks those as read that are named, or that are not newer than `upTo`. */
  'notifications/read': change<
    MemberRef & { ids?: readonly number[] | undefined; upTo?: number | undefined }
  >(),
  /** A process evaluates from now on, unless another one does. The round is the one that ended last. */
  'notifications/claim': change<{ node: string; leaseUntil: number }, { round: NotificationRound | null }>(),
  'notifications/release': change<{ node: string }>(),
  /** Ends a round: adds what it found. Nothing is stored if another process evaluated meanwhile. */
  'notifications/record': change<
    {
      node: string;
      round: NotificationRound;
      leaseUntil: number;
      items: readonly NotificationItem[];
      /** The causes that the items come from. */
      causeIds: readonly number[];
    },
    { recorded: boolean }
  >(),
  /** Ends outages. Those that relapsed go on. Not those whose devices came online after `until`. */
  'notifications/settle': change<{
    until: number;
    ended: readonly ItemRef[];
    relapsed: readonly ItemRef[];
    items: readonly NotificationItem[];
  }>(),
  /** Turns items that wait into messages, marks some as told without one, and deletes others. */
  'notifications/tell': change<
    {
      messages: readonly (MemberRef & { kind: NotificationKind; causes: readonly string[]; mail: boolean })[];
      silent: readonly ItemRef[];
      dropped: readonly ItemRef[];
    },
    { told: readonly (MemberRef & { id: number })[] }
  >(),
  /** Takes some of the notifications that are to be mailed. They are due again at `until` unless `mailed` says otherwise. */
  'notifications/claim-mail': change<
    { until: number; limit: number },
    { mails: readonly (MemberRef & { id: number; attempts: number })[] }
  >(),
  /** These are mailed again at that time, or not again. */
  'notifications/mailed': change<{ ids: readonly number[]; retryTime: number | null }>(),
  'notifications/sweep': change<{ before: number }>(),
  /** Counts a request of this hour, or refuses it when the limit is reached. */
  'usage/request': change<{ accountId: number; limit: number }, { used: number }>().refusing('plan_exceeded'),
  /** Deletes the request counts of hours that had ended by then. */
  'usage/sweep': change<{ endedBefore: number }>(),
  /** Adds only the audit line. */
  'audit/append': change<{ accountId: number; outcome: string }>(),
};

type Changes = typeof changeTable;
export type ChangeName = keyof Changes;
export type ChangeInput<Name extends ChangeName> = Changes[Name]['in'];
export type ChangeOutput<Name extends ChangeName> = Changes[Name]['out'];
