/** Every change of the store, by name: what goes in, what comes out, and the faults it may end in. */
import type { Fault } from '@drawbridge/contract/faults';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import type { Geo } from '../domain/agents.ts';
import type { Plan } from '../domain/plan.ts';
import type { LinkWish, SingleUseLink } from '../domain/links.ts';
import type { Happening, Invitation } from '../domain/support.ts';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import type { NewAgent, Session, AccountSettings, KnownDevice } from './records.ts';

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

/** What a device says of itself when it comes, and where it comes from. */
export interface Arrival {
  facts: Facts;
  fingerprint?: Fingerprint | undefined;
  geo: Geo;
}

/** A change that has nothing to tell but that it happened. */
export type Done = Record<string, never>;

/** Every change of the store: what goes in, what comes out, and the faults it may end in. */
export interface Changes {
  'accounts/create': {
    in: { email: string; key: NewKey; signIn: { digest: string; expireTime: number } };
    out: { accountId: number; memberId: number; keyId: number } | Fault<'invalid'>;
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
      link: { digest: string; expireTime: number };
    };
    out: { id: number } | Fault<'invalid' | 'forbidden'>;
  };
  'members/remove': {
    in: { accountId: number; email: string };
    out: Done | Fault<'invalid' | 'not_found'>;
  };
  /** Uses up a sign-in or invitation link; an invited person becomes active. */
  'members/sign-in': {
    in: { digest: string };
    out: { accountId: number; memberId: number } | Fault<'not_found'>;
  };
  'keys/create': {
    in: { accountId: number; memberId: number; key: NewKey };
    out: { id: number } | Fault<'not_found'>;
  };
  'keys/revoke': {
    in: { accountId: number; memberId: number | 'all'; id: number };
    out: Done | Fault<'not_found'>;
  };
  'keys/used': { in: { uses: { accountId: number; keyId: number; time: number }[] }; out: Done };
  'groups/create': {
    in: { accountId: number; name: string; order?: number | undefined };
    out: { id: number };
  };
  'groups/edit': {
    in: { accountId: number; id: number; name?: string | undefined; order?: number | undefined };
    out: Done | Fault<'not_found'>;
  };
  'groups/remove': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'agents/add': { in: NewAgent; out: { id: number; deviceId: number } };
  'agents/rename': { in: { accountId: number; id: number; name: string }; out: Done | Fault<'not_found'> };
  'agents/update': {
    in: {
      accountId: number;
      id: number;
      name?: string | undefined;
      /** Of the permanent link, what was sent; the password as its hash. */
      permanent?: LinkWish | undefined;
    };
    out: Done | Fault<'not_found' | 'path_taken' | 'invalid_password'>;
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
    in: { token: string; publicKey: string; deviceIds: readonly number[]; secret: string } & Arrival;
    out: KnownDevice | Fault<'not_found'>;
  };
  /** A device has proved who it is: takes over its facts, gives it the next epoch, and notices a copied key. */
  'devices/arrive': {
    in: { accountId: number; id: number; presented: string; epoch: string } & Arrival;
    out: { name: string; approved: boolean; owner: string; copied: boolean } | Fault<'not_found'>;
  };
  /** The device has the epoch on its disk: the one before is worth nothing any more. */
  'devices/kept': { in: { accountId: number; id: number; epoch: string }; out: Done };
  'devices/facts': { in: { accountId: number; id: number } & Arrival; out: Done };
  'devices/hardware': { in: { accountId: number; id: number; hardware: string }; out: Done };
  'devices/software': { in: { accountId: number; id: number; software: string }; out: Done };
  'devices/approve': { in: { accountId: number; id: number }; out: Done | Fault<'not_found'> };
  'accounts/settings': { in: { accountId: number } & Partial<AccountSettings>; out: Done };
  /** Gives the server the key it is known by, once; whoever comes later gets the first one's. */
  'server/identity': {
    in: { privateKey: string; publicKey: string };
    out: { privateKey: string; publicKey: string };
  };
  /** Devices whose channel has ended; those that are on another node by now stay online. */
  'presence/end': { in: { node: string; ids: readonly number[] }; out: Done };
  /** Answers with the devices that there are not any more. */
  'presence/renew': {
    in: { node: string; agents: readonly { id: number }[]; leaseUntil: number };
    out: { gone: readonly number[] };
  };
  /** A node starts anew: whatever it held before it died is not online any more. `all` where there is only one. */
  'presence/release': { in: { node: string }; out: Done };
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
      happening: Happening;
      lifetime: number;
      client?: { os: Invitation['clientOs']; preview: string };
    };
    out: Invitation | Fault<'not_found' | 'invalid'>;
  };
  /** After a crash of the only server: nobody is joined to any invitation any more. */
  'invitations/release': { in: Record<string, never>; out: { released: number } };
  /** Closes the invitations nobody joined in time, so that their codes become free. */
  'invitations/expire': { in: { bornBefore: number }; out: { closed: number } };
  /** Adds a link, unless what it leads to is gone or closed. */
  'links/add': {
    in: SingleUseLink & { digest: string; expireTime: number };
    out: Done | Fault<'not_found' | 'invalid'>;
  };
  /** Uses up a link; one statement decides between those who try at the same time. */
  'links/consume': { in: { digest: string }; out: SingleUseLink | Fault<'not_found'> };
  'links/consume-onetime': {
    in: { accountId: number; agentId: number; window: number };
    out: Done | Fault<'not_found'>;
  };
  'links/sweep': { in: { expiredBefore: number }; out: Done };
  'sessions/start': {
    in: Omit<Session, 'id' | 'stop' | 'agent' | 'bytes' | 'video'> & {
      accountId: number;
      memberId: number | null;
      agentId: number | null;
    };
    out: { id: number };
  };
  'sessions/alive': { in: { ids: readonly number[] }; out: Done };
  'sessions/stop': { in: { accountId: number; id: number; bytes: number }; out: Done };
  /** Ends the sessions that have shown no life since then, at the last time they were known alive. */
  'sessions/bury': { in: { silentSince: number }; out: { ended: number } };
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
