/** What each change of the store means for open panels: one row per change that the panel shows. */
import { isFault, type Fault } from '@drawbridge/contract/faults';
import type { TeamPermission } from '@drawbridge/contract/permissions';
import type { MemberRef } from '../../domain/people/panel.ts';
import type { ChangeInput, ChangeName, ChangeOutput } from '../../store/changes.ts';
import type { ObjectRef } from '../../store/records.ts';
import type { changesWithoutHints } from './changes-without-hints.ts';
import type { AccountHint } from './hint.ts';

type ChangeResult<Name extends ChangeName> = Exclude<ChangeOutput<Name>, Fault>;
type HintRule<Name extends ChangeName> = (
  input: ChangeInput<Name>,
  result: ChangeResult<Name>,
) => readonly AccountHint[];

const agent = ({ accountId, id }: ObjectRef): AccountHint[] => [{ accountId, topic: 'agents', ids: [id] }];
const group = ({ accountId, id }: ObjectRef): AccountHint[] => [{ accountId, topic: 'groups', ids: [id] }];
const invitation = ({ accountId, id }: ObjectRef): AccountHint[] => [
  { accountId, topic: 'support', ids: [id] },
];
const session = ({ accountId, id }: ObjectRef): AccountHint[] => [
  { accountId, topic: 'sessions', ids: [id] },
];
const team = ({ accountId }: { accountId: number }): AccountHint[] => [
  { accountId, topic: 'team', right: 'team_user_admin' },
];
const account = ({ accountId }: { accountId: number }, right: TeamPermission): AccountHint[] => [
  { accountId, topic: 'account', right },
];
const me = ({ accountId, memberId }: MemberRef): AccountHint[] => [{ accountId, topic: 'me', of: memberId }];
const teamAndMe = (of: MemberRef): AccountHint[] => [...team(of), ...me(of)];
const notificationsOf = ({ accountId, memberId }: MemberRef): AccountHint[] => [
  { accountId, topic: 'notifications', of: memberId },
];
const signedIn = ({ accountId }: { accountId: number }): AccountHint[] => [{ accountId, topic: 'signed_in' }];
/** Tokens, devices that wait for approval, and updates. */
const deviceAdmin = (of: { accountId: number }): AccountHint[] => account(of, 'team_permanent_access');
const brand = (of: { accountId: number }): AccountHint[] => [
  ...account(of, 'team_brand_admin'),
  { accountId: of.accountId, topic: 'me' },
];
const operator = ({ member }: { member: ObjectRef }): AccountHint[] =>
  me({ accountId: member.accountId, memberId: member.id });

/** Requests are seen by those who decide and by the people who asked. */
const request = ({ accountId }: { accountId: number }): AccountHint[] => [
  ...team({ accountId }),
  { accountId, topic: 'me' },
];

/** A session also changes its invitation, because the operator joins or leaves with it. */
const sessionOf = ({
  accountId,
  id,
  invitationId,
}: ObjectRef & { invitationId: number | null }): AccountHint[] => [
  ...session({ accountId, id }),
  ...(invitationId === null ? [] : invitation({ accountId, id: invitationId })),
];

/** What waits on a device for a second person stands among the notifications of those who may approve it. */
const waiting = (accountId: number, agentId: number | null): AccountHint[] =>
  agentId === null ? [] : [{ accountId, topic: 'notifications', onAgent: agentId }];

/** Every change is here or among those without hints: a missing one does not compile. */
const hintRules: { [Name in Exclude<ChangeName, (typeof changesWithoutHints)[number]>]: HintRule<Name> } = {
  'plan/set': (input) => [
    ...account(input, 'team_billing_admin'),
    { accountId: input.accountId, topic: 'agents' },
  ],
  'accounts/settings': (input) => [
    ...account(input, 'team_user_admin'),
    ...(input.policy === undefined ? [] : [{ accountId: input.accountId, topic: 'agents' } as const]),
  ],
  'brands/update': brand,
  'brands/logo': brand,
  'brands/remove-logo': brand,
  'operators/add': operator,
  'operators/remove': operator,
  'members/invite': team,
  'members/remove': (input) => [...team(input), ...signedIn(input)],
  'members/sign-in': (_input, memberRef) => [...team(memberRef), ...me(memberRef), ...signedIn(memberRef)],
  'members/name': (input) => [...team(input), ...me(input)],
  'members/password': (input) => [...me(input), ...signedIn(input)],
  'members/reset': ({ accountId }, { memberId }) => me({ accountId, memberId }),
  'panel/sessions/open': (input) => [...me(input), ...signedIn(input)],
  'panel/sessions/renew': ({ accountId, id }) => [{ accountId, topic: 'me', session: id }],
  'panel/sessions/end': (input) => [...me(input), ...signedIn(input)],
  'panel/sessions/end-all': (input) => [...me(input), ...signedIn(input)],
  'factors/totp/confirm': me,
  'factors/totp/remove': me,
  'factors/recovery/renew': me,
  'factors/recovery/use': me,
  'factors/passkey/add': me,
  'factors/passkey/remove': me,
  'roles/create': team,
  'roles/edit': team,
  'roles/remove': team,
  'access/add': team,
  'access/remove': team,
  'requests/create': request,
  'requests/emergency': request,
  'requests/approve': request,
  'requests/deny': request,
  'requests/cancel': request,
  'requests/settings': request,
  'requests/sweep': (_input, { ended }) => accountsOf(ended).flatMap((id) => request({ accountId: id })),
  'departments/create': team,
  'departments/update': team,
  'departments/remove': team,
  'departments/member-add': team,
  'departments/member-remove': team,
  'directories/create': team,
  'directories/update': team,
  'directories/remove': team,
  'directories/apply': (input) => [...team(input), ...signedIn(input)],
  'providers/create': team,
  'providers/update': (input) => [...team(input), ...signedIn(input)],
  'providers/remove': (input) => [...team(input), ...signedIn(input)],
  'providers/group-add': team,
  'providers/group-remove': team,
  'providers/require': (input) => [...team(input), ...signedIn(input)],
  'providers/sign-in': ({ accountId }, { memberId }) => teamAndMe({ accountId, memberId }),
  'providers/link': teamAndMe,
  'providers/unlink': teamAndMe,
  'providers/logout': (input, { ended }) => [...team(input), ...signedIn(input), ...ended.flatMap(sessionOf)],
  'scim/token-create': team,
  'scim/token-remove': team,
  'scim/token-used': team,
  'webhooks/create': team,
  'webhooks/update': team,
  'webhooks/renew': team,
  'webhooks/remove': team,
  'webhooks/settle': team,
  'scim/user-create': team,
  'scim/user-update': (input) => [...team(input), ...signedIn(input)],
  'scim/user-remove': (input) => [...team(input), ...signedIn(input)],
  'scim/group-create': team,
  'scim/group-update': team,
  'scim/group-remove': team,
  'keys/create': ({ accountId, memberId }) => [{ accountId, topic: 'keys', of: memberId }],
  'keys/revoke': ({ accountId, memberId }) => [
    { accountId, topic: 'keys', ...(memberId !== 'all' && { of: memberId }) },
  ],
  'keys/used': ({ uses }) => accountsOf(uses).map((accountId): AccountHint => ({ accountId, topic: 'keys' })),
  'groups/create': ({ accountId }, { id }) => group({ accountId, id }),
  'groups/edit': group,
  'groups/order': ({ accountId, ids }) => [{ accountId, topic: 'groups', ids }],
  'groups/policy': ({ accountId, id }) => [
    ...group({ accountId, id }),
    { accountId, topic: 'agents', inGroup: id },
  ],
  'groups/remove': ({ accountId, id }) => [
    ...group({ accountId, id }),
    { accountId, topic: 'agents', inGroup: id },
  ],
  'agents/add': ({ accountId }, { id }) => agent({ accountId, id }),
  'agents/rename': agent,
  'agents/notes': agent,
  'agents/policy': agent,
  'agents/update': agent,
  'agents/move': agent,
  // The device may be waiting for approval, which this refuses.
  'agents/remove': (input) => [...agent(input), ...deviceAdmin(input)],
  'agents/merge': ({ accountId, sourceId, targetId }) => [
    { accountId, topic: 'agents', ids: [sourceId, targetId] },
  ],
  'agents/favor': ({ accountId, id, memberId }) => [{ accountId, topic: 'agents', ids: [id], of: memberId }],
  'files/add': ({ accountId, agentId }) => agent({ accountId, id: agentId }),
  'files/remove': ({ accountId }, { agentId }) => agent({ accountId, id: agentId }),
  'enroll/create': deviceAdmin,
  'enroll/revoke': deviceAdmin,
  'enroll/join': (_input, device) => [...agent(device), ...deviceAdmin(device)],
  'devices/arrive': agent,
  'devices/facts': agent,
  'devices/hardware': agent,
  'devices/approve': (input) => [...agent(input), ...deviceAdmin(input)],
  'devices/clear-copied': agent,
  'updates/settings': deviceAdmin,
  'updates/pause': deviceAdmin,
  'updates/resume': deviceAdmin,
  'updates/pin': (input) => [...agent(input), ...deviceAdmin(input)],
  'updates/ask': (input, { asked }) => (asked.length === 0 ? [] : deviceAdmin(input)),
  'updates/report': deviceAdmin,
  'presence/renew': (_input, { came }) => hintPerAccount('agents', came),
  'presence/end': (_input, { left }) => hintPerAccount('agents', left),
  'presence/release': (_input, { left }) => hintPerAccount('agents', left),
  'notifications/subscribe': notificationsOf,
  'notifications/unsubscribe': notificationsOf,
  'notifications/settings': notificationsOf,
  'notifications/read': notificationsOf,
  'notifications/tell': (_input, { told }) => told.flatMap(notificationsOf),
  'invitations/create': (_input, made) => invitation(made),
  'invitations/rename': invitation,
  'invitations/happen': invitation,
  'invitations/join': (_input, { invitation: joined }) => invitation(joined),
  'invitations/leave': invitation,
  'invitations/lapse': (_input, { left }) => hintPerAccount('support', left),
  'invitations/expire': (_input, { closed }) => hintPerAccount('support', closed),
  'sessions/start': ({ accountId, invitationId }, { id }) => sessionOf({ accountId, id, invitationId }),
  'sessions/begin': (input, { waitsOn }) => [...session(input), ...waiting(input.accountId, waitsOn)],
  'sessions/cut': (input, { waitedOn }) => [...session(input), ...waiting(input.accountId, waitedOn)],
  'sessions/count': session,
  'sessions/resume': session,
  'sessions/stop': ({ accountId, id }, { invitationId, waitedOn }) => [
    ...sessionOf({ accountId, id, invitationId }),
    ...waiting(accountId, waitedOn),
  ],
  'sessions/await-approval': ({ accountId }, { agentId }) => waiting(accountId, agentId),
  'sessions/approve': ({ accountId }, { agentId }) => waiting(accountId, agentId),
  'sessions/note': session,
  'sessions/bury': (_input, { ended }) =>
    ended.flatMap((each) => [...sessionOf(each), ...waiting(each.accountId, each.waitedOn)]),
  'recordings/remove': ({ accountId, sessionId }) => session({ accountId, id: sessionId }),
  'recordings/sweep': (_input, { left }) =>
    accountsOf(left).map((accountId): AccountHint => ({ accountId, topic: 'sessions' })),
};

const accountsOf = (of: readonly { accountId: number }[]): number[] => [
  ...new Set(of.map(({ accountId }) => accountId)),
];

/** One hint for each account that has some of these objects. */
const hintPerAccount = (topic: 'agents' | 'support', all: readonly ObjectRef[]): AccountHint[] =>
  [...Map.groupBy(all, ({ accountId }) => accountId)].map(([accountId, own]) => ({
    accountId,
    topic,
    ids: own.map(({ id }) => id),
  }));

/** The hints of a change; none for a refused one. */
export function hintsOf<Name extends ChangeName>(
  name: Name,
  input: ChangeInput<Name>,
  outcome: ChangeOutput<Name>,
): readonly AccountHint[] {
  const row = (hintRules as Partial<Record<ChangeName, HintRule<Name>>>)[name];
  return row === undefined || isFault(outcome) ? [] : row(input, outcome as ChangeResult<Name>);
}
