/** Every change of the store by name: its input, its output and the faults it can return. */
import type { Fault } from '@drawbridge/contract/faults';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/agents.ts';
import type { Passkey } from '../domain/factors.ts';
import type { Member } from '../domain/members.ts';
import type { Plan } from '../domain/plan.ts';
import type { PermanentLinkUpdate, SingleUseLink } from '../domain/links.ts';
import type { SignInStep, SignInStepKind, MemberRef } from '../domain/panel.ts';
import type { ConfirmMode, SessionOrigin } from '../domain/sessions.ts';
import type { InvitationEvent, Invitation } from '../domain/support.ts';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { NewPanelSession } from './panel-records.ts';
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
}

interface NewKey {
  digest: string;
  prefix: string;
  name: string;
  expireTime: number | null;
  networks: readonly string[];
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

/** The output of a change that has nothing to return. */
export type Done = Record<string, never>;

interface Changes {
  'accounts/create': {
    in: { email: string; key?: NewKey; signIn: { digest: string; expireTime: number } };
    out: { accountId: number; memberId: number } | Fault<'invalid'>;
  };
  /** Creates the first account, at most once, even if several processes ask. */
  'accounts/first': {
    in: Changes['accounts/create']['in'];
    out: { created: boolean };
  };
  'plan/set': { in: { accountId: number; plan: Partial<Plan> }; out: Done };
  /** Refused when the link would let the inviter sign in as somebody with team permissions beyond their own. */
  'members/invite': {
    in: {
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
    };
    /** `shown`: whether the first link was created too. */
    out: { id: number; shown: boolean } | Fault<'invalid' | 'forbidden'>;
  };
  'members/remove': {
    in: { accountId: number; email: string };
    out: Done | Fault<'invalid' | 'not_found'>;
  };
  /** Uses up a sign-in or invitation link. An invited person becomes active, and is signed in or asked for a code. */
  'members/sign-in': {
    in: { digest: string; session?: NewPanelSession; step?: NewSignInStep };
    out: MemberRef | Fault<'not_found'>;
  };
  /** Sets a person's password and ends their other panel sessions. */
  'members/password': {
    in: MemberRef & { password: string; keep: number };
    out: Done | Fault<'not_found'>;
  };
  /** Refused when the password that somebody signs in with has changed meanwhile. */
  'panel/sessions/open': {
    in: MemberRef & { session: NewPanelSession; password?: string };
    out: { id: number } | Fault<'not_found'>;
  };
  /**
   * The person has confirmed their identity: replaces the cookie of the request. Refused when that cookie is no longer
   * valid.
   */
  'panel/sessions/renew': {
    in: { accountId: number; id: number; digest: string; instead: string };
    out: Done | Fault<'not_found'>;
  };
  'panel/sessions/seen': { in: { accountId: number; id: number }; out: Done };
  'panel/sessions/end': { in: MemberRef & { id: number }; out: Done | Fault<'not_found'> };
  'panel/sessions/end-all': { in: MemberRef; out: Done };
  'panel/steps/begin': { in: NewSignInStep; out: Done };
  /** Counts an attempt of a step that allows several; refused when none is left. */
  'panel/steps/try': { in: { digest: string; kind: SignInStepKind }; out: SignInStep | Fault<'not_found'> };
  /** Uses up a step. One statement decides between concurrent attempts. */
  'panel/steps/take': { in: { digest: string; kind: SignInStepKind }; out: SignInStep | Fault<'not_found'> };
  /** Deletes the sessions and steps that have expired. */
  'panel/sweep': { in: { seenBefore: number; bornBefore: number }; out: Done };
  /** Creates a link that opens a session. Refused when it would give its creator rights that they do not hold. */
  'members/reset': {
    in: {
      accountId: number;
      /** Who creates it; absent when the person asked by e-mail, or for the server administrator. */
      by?: number;
      email: string;
      link: { digest: string; expireTime: number };
      /** Also removes authenticator app, recovery codes and passkeys. */
      forget: boolean;
    };
    out: { memberId: number } | Fault<'invalid' | 'forbidden' | 'not_found'>;
  };
  /** Stores a secret that counts once it is confirmed, and replaces one that was not. */
  'factors/totp/begin': { in: MemberRef & { secret: string }; out: Done | Fault<'invalid'> };
  'factors/totp/confirm': {
    in: MemberRef & { secret: string; step: number; recovery: readonly string[] };
    out: Done | Fault<'not_found'>;
  };
  /** Uses the code of this TOTP time step. Refused when this or a later step was used before. */
  'factors/totp/use': { in: MemberRef & { step: number }; out: Done | Fault<'not_found'> };
  /** Removes the recovery codes too. */
  'factors/totp/remove': { in: MemberRef; out: Done | Fault<'not_found'> };
  'factors/recovery/renew': {
    in: MemberRef & { recovery: readonly string[] };
    out: Done | Fault<'not_found'>;
  };
  'factors/recovery/use': { in: MemberRef & { digest: string }; out: Done | Fault<'not_found'> };
  'factors/passkey/add': {
    in: MemberRef & Pick<Passkey, 'credential' | 'publicKey' | 'counter' | 'transports' | 'name'>;
    out: { id: number } | Fault<'invalid'>;
  };
  /**
   * Refused when the counter of the passkey is not higher than before: the passkey was copied, or the response was
   * replayed.
   */
  'factors/passkey/used': {
    in: { accountId: number; id: number; counter: number };
    out: Done | Fault<'not_found'>;
  };
  /** Refused when the person has no other way to sign in. */
  'factors/passkey/remove': { in: MemberRef & { id: number }; out: Done | Fault<'not_found' | 'invalid'> };
  'keys/create': {
    in: { accountId: number; memberId: number; key: NewKey };
    out: { id: number } | Fault<'not_found'>;
  };
  'keys/revoke': {
    in: { accountId: number; memberId: number | 'all'; id: number };
    out: Done | Fault<'not_found'>;
  };
  'keys/used': { in: { uses: { accountId: number; keyId: number; time: number }[] }; out: Done };
  /** Makes somebody a server administrator. */
  'operators/add': { in: { member: Pick<Member, 'accountId' | 'id'> }; out: Done | Fault<'not_found'> };
  /** Refused for the last server administrator, unless `evenLast` is set. */
  'operators/remove': {
    in: { member: Pick<Member, 'accountId' | 'id'>; evenLast: boolean };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  'brands/update': {
    in: { accountId: number; name?: string | undefined; accent?: string | undefined };
    out: Done;
  };
  /** The picture is stored as base64. */
  'brands/logo': { in: { accountId: number; type: string; digest: string; logo: string }; out: Done };
  'brands/remove-logo': { in: { accountId: number }; out: Done };
  'groups/create': {
    in: { accountId: number; name: string; order?: number | undefined };
    out: { id: number };
  };
  'groups/edit': {
    in: { accountId: number; id: number; name?: string | undefined; order?: number | undefined };
    out: Done | Fault<'not_found'>;
  };
  /** Puts these groups into this order; all others keep their positions. */
  'groups/order': { in: { accountId: number; ids: readonly number[] }; out: Done | Fault<'not_found'> };
  'groups/remove': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'groups/settings': {
    in: { accountId: number; id: number; confirm?: ConfirmMode | undefined };
    out: Done | Fault<'not_found'>;
  };
  'agents/add': { in: NewAgent; out: { id: number; deviceId: number } };
  'agents/rename': { in: { accountId: number; id: number; name: string }; out: Done | Fault<'not_found'> };
  /** Refused when `before` is given and the notes have changed meanwhile. */
  'agents/notes': {
    in: { accountId: number; id: number; notes: string; before?: string };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  'agents/update': {
    in: {
      accountId: number;
      /** Who changes the permanent link. They could use it if they enable it or set its password. */
      by: number;
      id: number;
      name?: string | undefined;
      /** The fields of the permanent link that were sent, with the password as its hash. */
      permanent?: PermanentLinkUpdate | undefined;
    };
    out: Done | Fault<'not_found' | 'path_taken' | 'invalid_password' | 'forbidden'>;
  };
  /** Puts a device into a group, or into none. Refused when the caller would gain rights on the device. */
  'agents/move': {
    in: { accountId: number; by: number; id: number; groupId: number | null };
    out: Done | Fault<'not_found' | 'forbidden'>;
  };
  'agents/remove': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'agents/merge': {
    in: { accountId: number; by: number; sourceId: number; targetId: number };
    out: Done | Fault<'not_found' | 'forbidden'>;
  };
  'agents/favor': {
    in: { accountId: number; memberId: number; id: number; favorite: boolean };
    out: Done;
  };
  /** Refused when the account already has all the files that its plan allows. */
  'files/add': {
    in: Omit<AttachedFile, 'id' | 'time'>;
    out: { id: number } | Fault<'plan_exceeded' | 'not_found'>;
  };
  /** Returns the key of the blob that nothing refers to any more. */
  'files/remove': {
    in: { accountId: number; id: number };
    out: { blobKey: string; agentId: number } | Fault<'not_found'>;
  };
  'enroll/create': {
    in: {
      accountId: number;
      memberId: number;
      digest: string;
      groupId: number | null;
      uses: number;
      expireTime: number;
    };
    out: { id: number } | Fault<'not_found'>;
  };
  'enroll/revoke': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  /** A device joins with a token. One statement decrements the uses of the token. */
  'enroll/join': {
    in: { token: string; publicKey: string; deviceIds: readonly number[]; secret: string } & DeviceReport;
    out: DeviceRef | Fault<'not_found'>;
  };
  /** A device has proved its identity: stores its facts, gives it the next epoch, and detects a copied key. */
  'devices/arrive': {
    in: { accountId: number; id: number; presented: string; epoch: string } & DeviceReport;
    out: { name: string; approved: boolean; owner: string; copied: boolean } | Fault<'not_found'>;
  };
  /** The device has stored the epoch on disk: the previous one is no longer valid. */
  'devices/kept': { in: { accountId: number; id: number; epoch: string }; out: Done };
  'devices/facts': { in: { accountId: number; id: number } & DeviceReport; out: Done };
  'devices/hardware': { in: { accountId: number; id: number; hardware: string }; out: Done };
  'devices/software': { in: { accountId: number; id: number; software: string }; out: Done };
  'devices/approve': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'devices/clear-copied': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'accounts/settings': { in: { accountId: number } & Partial<AccountSettings>; out: Done };
  /** Stores the key that identifies the server, at most once; later calls return the first key. */
  'server/identity': {
    in: { privateKey: string; publicKey: string };
    out: { privateKey: string; publicKey: string };
  };
  /** Devices whose connection has ended; those that are connected to another node by now stay online. */
  'presence/end': { in: { node: string; ids: readonly number[] }; out: { left: readonly ObjectRef[] } };
  /** Returns the devices that no longer exist, and those that were not online before. */
  'presence/renew': {
    in: { node: string; agents: readonly { id: number }[]; leaseUntil: number };
    out: { gone: readonly number[]; came: readonly ObjectRef[] };
  };
  /** Extends all leases of a node that have not expired, without naming them, and returns their devices. */
  'presence/extend': { in: { node: string; leaseUntil: number }; out: { held: readonly number[] } };
  /** A node restarts: the leases that it held before are released. With `all`, those of every node. */
  'presence/release': { in: { node: string }; out: { left: readonly ObjectRef[] } };
  'roles/create': {
    in: {
      accountId: number;
      name: string;
      type: RoleType;
      description: string;
      permissions: readonly Permission[];
    };
    out: { id: number };
  };
  'roles/edit': {
    in: {
      accountId: number;
      by: number;
      id: number;
      name?: string | undefined;
      description?: string | undefined;
      permissions?: readonly string[] | undefined;
    };
    out: Done | Fault<'not_found' | 'invalid' | 'forbidden'>;
  };
  'roles/remove': { in: { accountId: number; id: number }; out: Done | Fault<'not_found' | 'invalid'> };
  'access/add': { in: GrantInput; out: Done | Fault<'not_found' | 'invalid' | 'forbidden'> };
  'access/remove': { in: GrantInput; out: Done | Fault<'not_found' | 'invalid'> };
  'departments/create': { in: { accountId: number; name: string; worker: boolean }; out: { id: number } };
  'departments/update': {
    in: { accountId: number; id: number; name?: string | undefined };
    out: Done | Fault<'not_found'>;
  };
  'departments/remove': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'departments/member-add': {
    in: { accountId: number; by: number; id: number; email: string };
    out: Done | Fault<'not_found' | 'forbidden'>;
  };
  'departments/member-remove': {
    in: { accountId: number; id: number; email: string };
    out: Done | Fault<'not_found'>;
  };
  'invitations/create': {
    in: {
      accountId: number;
      memberId: number;
      clientName: string;
      /** Codes to try in order; the first that no open invitation uses is taken. */
      codes: readonly string[];
      connectToken: string;
    };
    out: Invitation | Fault<'plan_exceeded' | 'not_found'>;
  };
  'invitations/rename': {
    in: { accountId: number; id: number; name?: string | undefined };
    out: Done | Fault<'not_found'>;
  };
  'invitations/happen': {
    in: {
      accountId: number;
      id: number;
      event: InvitationEvent;
      lifetime: number;
      client?: { os: Invitation['clientOs']; preview: string };
    };
    out: Invitation | Fault<'not_found' | 'invalid'>;
  };
  /**
   * A client joins, or returns with the same key, in which case its absence is not noticed. A client with another key
   * is refused (`client_taken`).
   */
  'invitations/join': {
    in: {
      code: string;
      key: string;
      os: Invitation['clientOs'];
      /** The last part of the address of the client's picture, after the number of the invitation. */
      preview: string;
      /** When the client counts as gone unless renewed. */
      until: number;
      lifetime: number;
    };
    out: { invitation: Invitation; owner: string } | Fault<'not_found' | 'invalid'>;
  };
  /** The connections of these clients are open. Clients with a key that is no longer current are not renewed. */
  'invitations/renew': {
    in: { clients: readonly { id: number; key: string }[]; until: number };
    out: Done;
  };
  /** The client leaves on its own. */
  'invitations/leave': { in: { accountId: number; id: number; key: string }; out: Done };
  /** Marks clients whose time has expired as gone, whichever process held their connections. */
  'invitations/lapse': { in: Record<string, never>; out: { left: readonly ObjectRef[] } };
  /** Closes the invitations that nobody joined in time, so that their codes can be used again. */
  'invitations/expire': { in: { bornBefore: number }; out: { closed: readonly ObjectRef[] } };
  /** Adds a link, unless its target was removed or closed. */
  'links/add': {
    in: SingleUseLink & { digest: string; expireTime: number };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  /** Uses up the operator's URL of an invitation, for everyone who was shown one, and adds the link that it stands for. */
  'links/add-operator': {
    in: { accountId: number; memberId: number; invitationId: number; digest: string; expireTime: number };
    out: Done | Fault<'not_found'>;
  };
  /** Uses up a link. One statement decides between concurrent attempts. */
  'links/consume': { in: { digest: string }; out: SingleUseLink | Fault<'not_found'> };
  /** Uses up the one-time link of this person for this time window. */
  'links/consume-onetime': {
    in: { accountId: number; agentId: number; memberId: number; window: number };
    out: Done | Fault<'not_found'>;
  };
  'links/sweep': { in: { expiredBefore: number }; out: Done };
  'sessions/start': {
    in: Omit<Session, 'endedBy' | 'id' | 'stop' | 'agent' | 'bytes' | 'video' | 'note'> & {
      accountId: number;
      memberId: number | null;
      agentId: number | null;
      /** Set if the two sides are yet to connect: the session counts from `sessions/begin` on. */
      opening?: {
        origin: SessionOrigin;
        permissions: readonly string[];
        secretDigest: string;
        record: boolean;
      };
    };
    out: { id: number };
  };
  /** Both sides are connected for the first time. */
  'sessions/begin': { in: { accountId: number; id: number }; out: Done };
  'sessions/alive': { in: { ids: readonly number[] }; out: Done };
  /** The operator was disconnected and may return. */
  'sessions/cut': { in: { accountId: number; id: number; bytes: number }; out: Done };
  /** Adds the bytes of a connection that another one has replaced. */
  'sessions/count': { in: { accountId: number; id: number; bytes: number }; out: Done };
  /** The operator returns while the session runs, or shortly after it was considered lost. */
  'sessions/resume': {
    in: { accountId: number; id: number; permissions: readonly string[] };
    out: Done | Fault<'not_found'>;
  };
  /** A session that never began is deleted. Returns the invitation that the operator has left. */
  'sessions/stop': {
    in: { accountId: number; id: number; bytes: number; by?: EndedBy };
    out: { invitationId: number | null };
  };
  'sessions/note': { in: { accountId: number; id: number; note: string }; out: Done | Fault<'not_found'> };
  /** Ends the sessions that were silent since then, at the last time they were known to be alive. */
  'sessions/bury': {
    in: { silentSince: number };
    out: { ended: readonly (ObjectRef & { invitationId: number | null })[] };
  };
  /** Stores the recording keys of an account, at most once; later calls return the first keys. */
  'recordings/keys': { in: { account: number; keys: RecordingKeys }; out: RecordingKeys };
  /** A device is sent into a session that must be recorded. */
  'recordings/begin': {
    in: { accountId: number; sessionId: number; tokenDigest: string };
    out: { id: number } | Fault<'not_found'>;
  };
  /**
   * Adds the next chunk while the session runs or has just ended. Repeating the last chunk is not a fault: its sender
   * did not receive the response.
   */
  'recordings/chunk': {
    in: RecordedChunk & {
      accountId: number;
      id: number;
      /** The public key of the recording. */
      publicKey: string;
      last: boolean;
      /** For the playback addresses, if this is the first chunk of the session. */
      secret: string;
    };
    out: { repeated: boolean } | Fault<'not_found' | 'invalid' | 'plan_exceeded'>;
  };
  /** Returns the blobs that nothing refers to any more. */
  'recordings/remove': {
    in: { accountId: number; sessionId: number };
    out: { left: readonly OrphanedBlob[] } | Fault<'not_found'>;
  };
  /** Removes some recordings of sessions that ended before then, and older ones that stayed empty. */
  'recordings/sweep': {
    in: { endedBefore: number; emptySince: number };
    out: { left: readonly OrphanedBlob[]; more: boolean };
  };
  /** Counts a request of this hour, or refuses it when the limit is reached. */
  'usage/request': {
    in: { accountId: number; limit: number };
    out: { used: number } | Fault<'plan_exceeded'>;
  };
  /** Deletes the request counts of hours that had ended by then. */
  'usage/sweep': { in: { endedBefore: number }; out: Done };
  /** Adds only the audit line. */
  'audit/append': { in: { accountId: number; outcome: string }; out: Done };
}

export type ChangeName = keyof Changes;
export type ChangeInput<Name extends ChangeName> = Changes[Name]['in'];
export type ChangeOutput<Name extends ChangeName> = Changes[Name]['out'];
