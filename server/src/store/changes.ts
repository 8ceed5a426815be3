/** Every change of the store, by name: what goes in, what comes out, and the faults it may end in. */
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

/** A grant of a role to a person or a department, on what the role's type asks for. */
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

/** Something begun on the way in: known by its digest only. */
export interface NewSignInStep extends SignInStep {
  digest: string;
  kind: SignInStepKind;
  tries: number;
  expireTime: number;
}

/** What a device says of itself when it comes, and where it comes from. */
export interface DeviceReport {
  facts: Facts;
  fingerprint?: Fingerprint | undefined;
  geo: Geo;
}

/** A change that has nothing to tell but that it happened. */
export type Done = Record<string, never>;

/** Every change of the store: what goes in, what comes out, and the faults it may end in. */
export interface Changes {
  'accounts/create': {
    in: { email: string; key?: NewKey; signIn: { digest: string; expireTime: number } };
    out: { accountId: number; memberId: number } | Fault<'invalid'>;
  };
  /** Creates the first account, once, whoever asks first. */
  'accounts/first': {
    in: Changes['accounts/create']['in'];
    out: { created: boolean };
  };
  'plan/set': { in: { accountId: number; plan: Partial<Plan> }; out: Done };
  /** Refused when the link would let the one who invites sign in as somebody with team permissions beyond their own. */
  'members/invite': {
    in: {
      accountId: number;
      /** Who invites; absent when it is the operator of the server. */
      by?: number;
      email: string;
      /** A link that is shown to the one who invites; it opens only while that one holds every right of the person. */
      link: { digest: string; expireTime: number };
      /** A link that goes to the person alone. Where there is one, also somebody who holds more may be invited again. */
      emailedLink?: { digest: string };
    };
    /** `shown`: whether the first link was made too. */
    out: { id: number; shown: boolean } | Fault<'invalid' | 'forbidden'>;
  };
  'members/remove': {
    in: { accountId: number; email: string };
    out: Done | Fault<'invalid' | 'not_found'>;
  };
  /** Uses up a sign-in or invitation link; an invited person becomes active, and is signed in or asked for a code. */
  'members/sign-in': {
    in: { digest: string; session?: NewPanelSession; step?: NewSignInStep };
    out: MemberRef | Fault<'not_found'>;
  };
  /** Sets a person's password; wherever else they are signed in ends. */
  'members/password': {
    in: MemberRef & { password: string; keep: number };
    out: Done | Fault<'not_found'>;
  };
  /** Refused when the password by which somebody signs in is no longer theirs. */
  'panel/sessions/open': {
    in: MemberRef & { session: NewPanelSession; password?: string };
    out: { id: number } | Fault<'not_found'>;
  };
  /** Somebody has shown again who they are: from now on another cookie counts. */
  /** Puts another cookie in the place of the one it was asked with; refused when that is not the session's any more. */
  'panel/sessions/renew': {
    in: { accountId: number; id: number; digest: string; instead: string };
    out: Done | Fault<'not_found'>;
  };
  'panel/sessions/seen': { in: { accountId: number; id: number }; out: Done };
  'panel/sessions/end': { in: MemberRef & { id: number }; out: Done | Fault<'not_found'> };
  'panel/sessions/end-all': { in: MemberRef; out: Done };
  'panel/steps/begin': { in: NewSignInStep; out: Done };
  /** Counts a try of a step that can be tried several times; refused when there are none left. */
  'panel/steps/try': { in: { digest: string; kind: SignInStepKind }; out: SignInStep | Fault<'not_found'> };
  /** Uses up a step; one statement decides between those who try at the same time. */
  'panel/steps/take': { in: { digest: string; kind: SignInStepKind }; out: SignInStep | Fault<'not_found'> };
  /** Forgets the sessions and steps that are over. */
  'panel/sweep': { in: { seenBefore: number; bornBefore: number }; out: Done };
  /** A link that opens a session. Refused where it would give whoever makes it rights that they do not hold. */
  'members/reset': {
    in: {
      accountId: number;
      /** Who makes it; absent when the person asked by mail, or the operator of the server does. */
      by?: number;
      email: string;
      link: { digest: string; expireTime: number };
      /** Forgets authenticator app, recovery codes and passkeys too. */
      forget: boolean;
    };
    out: { memberId: number } | Fault<'invalid' | 'forbidden' | 'not_found'>;
  };
  /** A secret that counts once it was confirmed; one begun before is forgotten. */
  'factors/totp/begin': { in: MemberRef & { secret: string }; out: Done | Fault<'invalid'> };
  'factors/totp/confirm': {
    in: MemberRef & { secret: string; step: number; recovery: readonly string[] };
    out: Done | Fault<'not_found'>;
  };
  /** A code of this step of time is used. Refused when it was used before, or a later one was. */
  'factors/totp/use': { in: MemberRef & { step: number }; out: Done | Fault<'not_found'> };
  /** The recovery codes go along. */
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
  /** Refused when the passkey has counted further before: it was copied, or this is an old answer. */
  'factors/passkey/used': {
    in: { accountId: number; id: number; counter: number };
    out: Done | Fault<'not_found'>;
  };
  /** Refused where it is the only way in. */
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
  /** Somebody looks after the server from now on. */
  'operators/add': { in: { member: Pick<Member, 'accountId' | 'id'> }; out: Done | Fault<'not_found'> };
  /** Refused when nobody would be left, unless that is wanted. */
  'operators/remove': {
    in: { member: Pick<Member, 'accountId' | 'id'>; evenLast: boolean };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  'brands/update': {
    in: { accountId: number; name?: string | undefined; accent?: string | undefined };
    out: Done;
  };
  /** The picture is kept as base64. */
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
  /** These take their places anew, in this order; all others stay where they are. */
  'groups/order': { in: { accountId: number; ids: readonly number[] }; out: Done | Fault<'not_found'> };
  'groups/remove': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'groups/settings': {
    in: { accountId: number; id: number; confirm?: ConfirmMode | undefined };
    out: Done | Fault<'not_found'>;
  };
  'agents/add': { in: NewAgent; out: { id: number; deviceId: number } };
  'agents/rename': { in: { accountId: number; id: number; name: string }; out: Done | Fault<'not_found'> };
  /** Refused when `before` is given and they say something else by now. */
  'agents/notes': {
    in: { accountId: number; id: number; notes: string; before?: string };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  'agents/update': {
    in: {
      accountId: number;
      /** Whoever opens the permanent link, or gives it another password, could come in by it. */
      by: number;
      id: number;
      name?: string | undefined;
      /** Of the permanent link, what was sent; the password as its hash. */
      permanent?: PermanentLinkUpdate | undefined;
    };
    out: Done | Fault<'not_found' | 'path_taken' | 'invalid_password' | 'forbidden'>;
  };
  /** Puts a device into a group, or into none. Refused when it gives the person who does it rights they did not hold. */
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
  /** Refused where the account holds all the files that its plan allows. */
  'files/add': {
    in: Omit<AttachedFile, 'id' | 'time'>;
    out: { id: number } | Fault<'plan_exceeded' | 'not_found'>;
  };
  /** Tells where the bytes lie that nothing refers to any more. */
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
  /** A device joins with a token. One statement counts the token down. */
  'enroll/join': {
    in: { token: string; publicKey: string; deviceIds: readonly number[]; secret: string } & DeviceReport;
    out: DeviceRef | Fault<'not_found'>;
  };
  /** A device has proved who it is: takes over its facts, gives it the next epoch, and notices a copied key. */
  'devices/arrive': {
    in: { accountId: number; id: number; presented: string; epoch: string } & DeviceReport;
    out: { name: string; approved: boolean; owner: string; copied: boolean } | Fault<'not_found'>;
  };
  /** The device has the epoch on its disk: the one before is worth nothing any more. */
  'devices/kept': { in: { accountId: number; id: number; epoch: string }; out: Done };
  'devices/facts': { in: { accountId: number; id: number } & DeviceReport; out: Done };
  'devices/hardware': { in: { accountId: number; id: number; hardware: string }; out: Done };
  'devices/software': { in: { accountId: number; id: number; software: string }; out: Done };
  'devices/approve': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'devices/clear-copied': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'accounts/settings': { in: { accountId: number } & Partial<AccountSettings>; out: Done };
  /** Gives the server the key it is known by, once; whoever comes later gets the first one's. */
  'server/identity': {
    in: { privateKey: string; publicKey: string };
    out: { privateKey: string; publicKey: string };
  };
  /** Devices whose channel has ended; those that are on another node by now stay online. */
  'presence/end': { in: { node: string; ids: readonly number[] }; out: { left: readonly ObjectRef[] } };
  /** Answers with the devices that there are not any more, and with those that were not online before. */
  'presence/renew': {
    in: { node: string; agents: readonly { id: number }[]; leaseUntil: number };
    out: { gone: readonly number[]; came: readonly ObjectRef[] };
  };
  /** All leases of a node that still run, without naming them; answers how many there are. */
  'presence/extend': { in: { node: string; leaseUntil: number }; out: { held: readonly number[] } };
  /** A node starts anew: whatever it held before it died is not online any more. `all` where there is only one. */
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
      /** Codes to try in order; the first that no open invitation has is taken. */
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
   * The client comes, or comes back with the same key: then nobody notices that it was away. Another client with another
   * key finds the place taken (`client_taken`).
   */
  'invitations/join': {
    in: {
      code: string;
      key: string;
      os: Invitation['clientOs'];
      /** What the address of the client's picture ends in, after the number of the invitation. */
      preview: string;
      /** Until when the client counts as there. */
      until: number;
      lifetime: number;
    };
    out: { invitation: Invitation; owner: string } | Fault<'not_found' | 'invalid'>;
  };
  /** The lines of these clients are open; those of a key that is not in use any more stay as they are. */
  'invitations/renew': {
    in: { clients: readonly { id: number; key: string }[]; until: number };
    out: Done;
  };
  /** The client says goodbye. */
  'invitations/leave': { in: { accountId: number; id: number; key: string }; out: Done };
  /** Clients whose time is over have left, whoever held their lines. */
  'invitations/lapse': { in: Record<string, never>; out: { left: readonly ObjectRef[] } };
  /** Closes the invitations nobody joined in time, so that their codes become free. */
  'invitations/expire': { in: { bornBefore: number }; out: { closed: readonly ObjectRef[] } };
  /** Adds a link, unless what it leads to is gone or closed. */
  'links/add': {
    in: SingleUseLink & { digest: string; expireTime: number };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  /** Uses up the operator's URL of an invitation, for all who were shown one, and adds the link that it stands for. */
  'links/add-operator': {
    in: { accountId: number; memberId: number; invitationId: number; digest: string; expireTime: number };
    out: Done | Fault<'not_found'>;
  };
  /** Uses up a link; one statement decides between those who try at the same time. */
  'links/consume': { in: { digest: string }; out: SingleUseLink | Fault<'not_found'> };
  /** Uses up the one-time link of a window that was made for this person. */
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
      /** Set where the two sides are still to meet: it counts from `sessions/begin` on. */
      opening?: {
        origin: SessionOrigin;
        permissions: readonly string[];
        secretDigest: string;
        record: boolean;
      };
    };
    out: { id: number };
  };
  /** The two sides have met for the first time. */
  'sessions/begin': { in: { accountId: number; id: number }; out: Done };
  'sessions/alive': { in: { ids: readonly number[] }; out: Done };
  /** The operator was cut off, and may come back. */
  'sessions/cut': { in: { accountId: number; id: number; bytes: number }; out: Done };
  /** So much went through a connection that another one has taken the place of. */
  'sessions/count': { in: { accountId: number; id: number; bytes: number }; out: Done };
  /** The operator comes back: while it runs, or shortly after it was taken for dead. */
  'sessions/resume': {
    in: { accountId: number; id: number; permissions: readonly string[] };
    out: Done | Fault<'not_found'>;
  };
  /** One that never began leaves nothing behind. Tells whose operator has left by it. */
  'sessions/stop': {
    in: { accountId: number; id: number; bytes: number; by?: EndedBy };
    out: { invitationId: number | null };
  };
  'sessions/note': { in: { accountId: number; id: number; note: string }; out: Done | Fault<'not_found'> };
  /** Ends the sessions that have shown no life since then, at the last time they were known alive. */
  'sessions/bury': {
    in: { silentSince: number };
    out: { ended: readonly (ObjectRef & { invitationId: number | null })[] };
  };
  /** Gives an account the keys of its recordings, once; whoever comes later gets the first one's. */
  'recordings/keys': { in: { account: number; keys: RecordingKeys }; out: RecordingKeys };
  /** A device is sent into a session that is to be recorded. */
  'recordings/begin': {
    in: { accountId: number; sessionId: number; tokenDigest: string };
    out: { id: number } | Fault<'not_found'>;
  };
  /**
   * One chunk more, in order and while the session runs or has just ended. The last one once more is no fault: its
   * sender did not hear the answer.
   */
  'recordings/chunk': {
    in: RecordedChunk & {
      accountId: number;
      id: number;
      /** Of the recording. */
      publicKey: string;
      last: boolean;
      /** For the addresses under which it is played, if this is the first of the session. */
      secret: string;
    };
    out: { repeated: boolean } | Fault<'not_found' | 'invalid' | 'plan_exceeded'>;
  };
  /** Tells which bytes nothing refers to any more. */
  'recordings/remove': {
    in: { accountId: number; sessionId: number };
    out: { left: readonly OrphanedBlob[] } | Fault<'not_found'>;
  };
  /** Removes some recordings of sessions that ended before then, and those that were begun before and stayed empty. */
  'recordings/sweep': {
    in: { endedBefore: number; emptySince: number };
    out: { left: readonly OrphanedBlob[]; more: boolean };
  };
  /** Counts a request of this hour, or refuses it when the hour's are used up. */
  'usage/request': {
    in: { accountId: number; limit: number };
    out: { used: number } | Fault<'plan_exceeded'>;
  };
  /** Forgets the counts of requests in hours that were over by then. */
  'usage/sweep': { in: { endedBefore: number }; out: Done };
  /** Nothing but the line in the audit log. */
  'audit/append': { in: { accountId: number; outcome: string }; out: Done };
}

export type ChangeName = keyof Changes;
export type ChangeInput<Name extends ChangeName> = Changes[Name]['in'];
export type ChangeOutput<Name extends ChangeName> = Changes[Name]['out'];
