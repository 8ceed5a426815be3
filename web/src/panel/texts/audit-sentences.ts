/** The sentences of the audit log: what somebody did or tried to do, for every operation that can be in the log. */
import type { AuditedEvent } from '@drawbridge/contract/audited-events';
import type { PanelId } from '@drawbridge/contract/panel/index';
import type { OperationId } from '@drawbridge/contract/v1/index';

/**
 * The two forms of a sentence after its subject, such as "rebooted {device}" and "reboot {device}". Names in braces stand
 * for what the entry refers to.
 */
export interface AuditSentence {
  done: string;
  tried: string;
  /** True if the person whom the entry names need not be the one who acted: the subject is then "Somebody". */
  byAnybody?: boolean;
}

const act = (done: string, tried: string, object = ''): AuditSentence => ({
  done: `${done} ${object}`.trim(),
  tried: `${tried} ${object}`.trim(),
});
const read = (what: string): AuditSentence => act('looked at', 'look at', what);
const create = (what: string): AuditSentence => act('created', 'create', what);
const change = (what: string): AuditSentence => act('changed', 'change', what);
const remove = (what: string): AuditSentence => act('removed', 'remove', what);

const apiSentences: Record<OperationId, AuditSentence> = {
  'account/info': read('the settings of the account'),
  'account/update': change('the settings of the account'),
  'agents/approve': act('approved', 'approve', '{device}'),
  'agents/connect': create('a link to connect to {device}'),
  'agents/copied/clear': act('marked', 'mark', 'the copied key of {device} as checked'),
  'agents/duplicates': read('the list of duplicate devices'),
  'agents/enroll/create': create('a token for new devices'),
  'agents/enroll/list': read('the tokens for new devices'),
  'agents/enroll/revoke': act('revoked', 'revoke', 'a token for new devices'),
  'agents/favorite': act('changed', 'change', 'whether {device} is among their favourites'),
  'agents/files/add': act('attached', 'attach', 'the file{name} to {device}'),
  'agents/files/get': act('downloaded', 'download', 'a file of a device'),
  'agents/files/list': read('the files of {device}'),
  'agents/files/remove': remove('a file of a device'),
  'agents/info': read('{device}'),
  'agents/list': read('the list of devices'),
  'agents/lock': act('locked', 'lock', 'the screen of {device}'),
  'agents/logout': act('unlinked', 'unlink', '{device}'),
  'agents/merge': act('merged', 'merge', '{device} into {second device}'),
  'agents/notes': read('the notes on {device}'),
  'agents/notes/update': change('the notes on {device}'),
  'agents/pending': read('the devices that wait for approval'),
  'agents/reboot': act('rebooted', 'reboot', '{device}'),
  'agents/settings': read('the settings of {device}'),
  'agents/settings/update': change('the settings of {device}'),
  'agents/software': read('the software of {device}'),
  'agents/update': change('the name or the permanent link of {device}'),
  'agents/wake': act('woke', 'wake', '{device}'),
  'audit/list': read('the audit log'),
  'audit/verify': act('checked', 'check', 'the audit log'),
  'branding/info': read('the brand of the account'),
  'branding/logo': act('set', 'set', 'the logo of the account'),
  'branding/logo/remove': remove('the logo of the account'),
  'branding/update': change('the brand of the account'),
  'groups/agent/insert': act('moved', 'move', '{device} to {group}'),
  'groups/agent/remove': act('took', 'take', '{device} out of its group'),
  'groups/create': create('the group{name}'),
  'groups/edit': act('renamed or moved', 'rename or move', '{group}'),
  'groups/list': read('the list of groups'),
  'groups/remove': remove('{group}'),
  'groups/settings': read('the settings of {group}'),
  'groups/settings/update': change('the settings of {group}'),
  'history/export': act('downloaded', 'download', 'the history'),
  'history/list': read('the history'),
  'history/video/remove': remove('the recording of {session}'),
  'keys/create': create('the API key{name}'),
  'keys/list': read('the API keys'),
  'keys/revoke': act('revoked', 'revoke', 'an API key'),
  'plan/info': read('the plan of the account'),
  'sessions/close': act('ended', 'end', '{session}'),
  'sessions/list': read('the running sessions'),
  'sessions/note': act('wrote', 'write', 'a note on {session}'),
  'support/close': act('closed', 'close', '{invitation}'),
  'support/connect': create('a link to connect to the client of {invitation}'),
  'support/create': act('invited', 'invite', 'a client to quick support'),
  'support/info': read('{invitation}'),
  'support/list': read('the open invitations'),
  'support/update': change('the client name of {invitation}'),
  'team/access/effective': read('the rights of {person} on {device}'),
  'team/department/access/add': act('gave', 'give', '{department} {role}{where}'),
  'team/department/access/list': read('the rights of {department}'),
  'team/department/access/remove': act('took', 'take', '{role} from {department}{where}'),
  'team/department/create': create('the department{name}'),
  'team/department/info': read('{department}'),
  'team/department/list': read('the list of departments'),
  'team/department/member/add': act('added', 'add', '{person} to {department}'),
  'team/department/member/remove': remove('{person} from {department}'),
  'team/department/remove': remove('{department}'),
  'team/department/update': act('renamed', 'rename', '{department}'),
  'team/member/access/add': act('gave', 'give', '{person} {role}{where}'),
  'team/member/access/list': read('the rights of {person}'),
  'team/member/access/remove': act('took', 'take', '{role} from {person}{where}'),
  'team/member/invite': act('invited', 'invite', '{person} to the team'),
  'team/member/list': read('the list of people'),
  'team/member/remove': remove('{person} from the team'),
  'team/role/create': create('the role{name}'),
  'team/role/edit': change('{role}'),
  'team/role/info': read('{role}'),
  'team/role/list': read('the list of roles'),
  'team/role/remove': remove('{role}'),
};

const panelSentences: Record<PanelId, AuditSentence> = {
  'access/device': read('who has rights on {device}'),
  'access/entries': read('the roles that were given'),
  'access/permissions': read('the list of permissions'),
  'access/person': read('the rights of {person} in the panel'),
  devices: read('the list of devices in the panel'),
  'groups/order': change('the order of the groups'),
  me: read('their own rights'),
  'me/confirm': act('confirmed', 'confirm', 'their identity with a password'),
  'me/confirm/passkey': act('confirmed', 'confirm', 'their identity with a passkey'),
  'me/confirm/passkey/begin': act('started', 'start', 'to confirm their identity with a passkey'),
  'me/first-steps': read('the first steps'),
  'me/name': act('changed', 'change', 'their name{to name}'),
  'me/passkeys': read('their passkeys'),
  'me/passkeys/add': act('added', 'add', 'the passkey{name}'),
  'me/passkeys/begin': act('started', 'start', 'to add a passkey'),
  'me/passkeys/remove': remove('a passkey of theirs'),
  'me/password': act('set', 'set', 'a new password'),
  'me/recovery': create('new recovery codes'),
  'me/sessions': read('the browsers in which they are signed in'),
  'me/sessions/end': act('signed out', 'sign out', 'of another browser'),
  'me/sessions/end-all': act('signed out', 'sign out', 'everywhere'),
  'me/totp/begin': act('started', 'start', 'to set up an authenticator app'),
  'me/totp/confirm': act('turned on', 'turn on', 'an authenticator app'),
  'me/totp/remove': act('turned off', 'turn off', 'the authenticator app'),
  'member/reset': create('a link with which {person} sets a new password'),
  notifications: read('their notifications'),
  'notifications/read': act('marked', 'mark', 'notifications as read'),
  'notifications/settings': read('which notifications they receive by e-mail'),
  'notifications/settings/update': act('chose', 'choose', 'which notifications they receive by e-mail'),
  'notifications/subscribe/all': act('subscribed', 'subscribe', 'to all their devices and clients'),
  'notifications/subscribe/device': act('subscribed', 'subscribe', 'to {device}'),
  'notifications/subscribe/group': act('subscribed', 'subscribe', 'to {group}'),
  'notifications/subscriptions': read('their subscriptions'),
  'notifications/unsubscribe': act('ended', 'end', 'a subscription of theirs'),
  'server/accounts': read('the accounts of the server'),
  'server/accounts/create': create('an account on the server'),
  'server/accounts/plan': act('set', 'set', 'the plan of an account'),
  'sign-in/account': act('chose', 'choose', 'the account to sign in to'),
  'sign-in/code': act('signed in', 'sign in', 'with a second factor'),
  'sign-in/forgot': act('asked', 'ask', 'for a link to set a new password'),
  'sign-in/link': act('signed in', 'sign in', 'with a single-use link'),
  'sign-in/options': read('the ways to sign in'),
  'sign-in/passkey': act('signed in', 'sign in', 'with a passkey'),
  'sign-in/passkey/begin': act('started', 'start', 'to sign in with a passkey'),
  'sign-in/password': act('signed in', 'sign in', 'with a password'),
  'sign-out': act('signed out', 'sign out'),
  'support/clients': read('the names of past clients'),
  'support/creators': read('who created the invitations'),
  'team/departments': read('the list of departments in the panel'),
  'team/names': read('the names of people'),
  'team/people': read('the list of people in the panel'),
  'team/roles': read('the list of roles in the panel'),
};

const eventSentences: Record<AuditedEvent, AuditSentence> = {
  'session/open': act('connected', 'connect', 'to {device or client}'),
  'session/resume': act('returned', 'return', 'to the session with {device or client}'),
  'session/close': act('was', 'be', 'in {session} until {ended by} ended it'),
  'session/again': create('a link to connect again to {device or client}'),
  'session/record': act('{started}', '{start}', 'the recording of {session}'),
  'session/note': act('wrote', 'write', 'a note on {session} in its window'),
  'session/changed-key': act('connected', 'connect', 'to {device or client}, whose key had changed'),
  'link/permanent': { ...act('used', 'use', 'the permanent link of {device}'), byAnybody: true },
  'link/onetime': { ...act('used', 'use', 'a one-time link to {device} from {owner}'), byAnybody: true },
  'link/operator': {
    ...act('used', 'use', 'the operator link of {invitation} from {owner}'),
    byAnybody: true,
  },
  'server/account-create': create('this account'),
  'server/plan-set': act('set', 'set', 'the plan of this account'),
  'server/sign-in-create': create('a sign-in link for {person}'),
  'server/enroll-create': create('a token for new devices'),
  'server/key-create': create('the API key{name} for {person}'),
  'server/operator-add': act('made', 'make', '{person} a server administrator'),
  'server/operator-remove': act('removed', 'remove', '{person} from the server administrators'),
};

/** The log prefixes the ids of the panel's own operations with this. */
const panelPrefix = 'panel/';

/** By the name of the operation in the log. */
export const auditSentences: Readonly<Record<string, AuditSentence>> = {
  ...apiSentences,
  ...Object.fromEntries(Object.entries(panelSentences).map(([id, each]) => [panelPrefix + id, each])),
  ...eventSentences,
};
