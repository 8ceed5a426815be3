/** The signed-in person. One function per row of contract/src/panel/me.ts, except those of factors.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Panel } from '@drawbridge/contract/panel/index';
import { freshLifetime, confirmCode } from '@drawbridge/contract/panel/step-up';
import {
  permissionIds,
  type AgentPermission,
  type SupportPermission,
  type TeamPermission,
} from '@drawbridge/contract/permissions';
import { agentScope, maySupport, mayTeam, type Actor, type AgentScope } from '../../domain/people/access.ts';
import { passwordProblem } from '../../domain/sessions/links.ts';
import { wideNetworkOf } from '../../domain/networks.ts';
import { passwordOfDirectory } from '../../domain/people/directory-connection.ts';
import { freshUntil, isFresh, isLive } from '../../domain/people/panel.ts';
import { brandOf } from './brand.ts';
import { checkPassword } from '../sign-in/check-password.ts';
import { notSignedIn } from '../sign-in/sign-in-steps.ts';
import { csrfOf } from '../sign-in/guard.ts';
import type { MemberRequest, PanelHandlers, PanelContext } from '../handler.ts';
import type { PanelRow } from '@drawbridge/contract/panel/row';
import { supportsPasskeys } from '../sign-in/passkey-support.ts';

type Rows = Pick<
  Panel,
  | 'me'
  | 'me/first-steps'
  | 'me/name'
  | 'me/password'
  | 'me/sessions'
  | 'me/sessions/end'
  | 'me/sessions/end-all'
  | 'me/confirm'
>;

const memberRefOf = ({ accountId, memberId }: Actor) => ({ accountId, memberId });

const isNotEmpty = (scope: AgentScope): boolean =>
  scope === 'all' || scope.agentIds.length > 0 || scope.groupIds.length > 0;

/** What somebody may do in the account, so that pages offer nothing else. */
async function memberRights(actor: Actor, { store }: PanelContext) {
  const all = actor.owner ? (await store.groups.list(actor.accountId, 'all')).map(({ id }) => id) : [];
  const groupsWith = (permission: AgentPermission): number[] => {
    const scope = agentScope(actor, permission);
    return scope === 'all' ? all : [...new Set(scope.groupIds)];
  };
  return {
    team: permissionIds('team').filter((each) => mayTeam(actor, each as TeamPermission)),
    support: permissionIds('quick_support').filter((each) => maySupport(actor, each as SupportPermission)),
    devices: isNotEmpty(agentScope(actor)),
    history: isNotEmpty(agentScope(actor, 'agent_sessions')),
    group_admin: groupsWith('agent_change_settings'),
    notify: isNotEmpty(agentScope(actor, 'agent_notification')),
    group_notify: groupsWith('agent_notification'),
  };
}

/** After somebody has confirmed their identity, replaces the cookie, which then counts as fresh. */
export async function confirmIdentity(
  {
    actor,
    session,
    requester,
    change,
  }: Pick<MemberRequest<PanelRow>, 'actor' | 'session' | 'requester' | 'change'>,
  context: PanelContext,
) {
  const token = context.random.token();
  const { accountId } = actor;
  const renewed = await change('panel/sessions/renew', {
    accountId,
    id: session.id,
    digest: context.digestOf(token),
    instead: context.digestOf(requester.token ?? ''),
  });
  if (isFault(renewed)) return renewed;
  return { fresh_until: context.now() + freshLifetime, csrf: csrfOf(token, context), cookie: { token } };
}

export const meHandlers: PanelHandlers<Rows> = {
  me: async ({ actor, ownerEmail, operator, session }, context) => {
    const { store, publicUrl, version, now } = context;
    const factors = await store.panel.factors(memberRefOf(actor));
    const own = await store.providers.ofMember(memberRefOf(actor));
    const name = (await store.members.names(actor.accountId, [actor.email]))[0]?.name ?? '';
    return {
      data: {
        id: actor.memberId,
        email: actor.email,
        name,
        account_id: actor.accountId,
        account: ownerEmail,
        owner: actor.owner,
        operator,
        ...(await memberRights(actor, context)),
        csrf: session.csrf,
        fresh_until: freshUntil(session),
        has_password: factors.password,
        password_from_directory: factors.directory,
        has_totp: factors.totp,
        passkeys: factors.passkeys,
        sso: own.filter(({ identity }) => identity).map(({ id, name: provider }) => ({ id, name: provider })),
        only_sso: await store.providers.onlySso(actor.accountId),
        recovery_left: factors.recoveryLeft,
        brand: await brandOf(context, actor.accountId),
        public_url: publicUrl,
        key_pin: context.keyPin(),
        passkeys_work: supportsPasskeys(publicUrl),
        mail: context.mail !== undefined,
        version,
        now: now(),
      },
    };
  },

  'me/first-steps': async ({ actor }, { store }) => ({
    data: actor.owner
      ? await store.accounts.firstSteps(actor.accountId)
      : { device: false, client: false, technician: false },
  }),

  'me/name': async ({ actor, input: { name }, change }) =>
    change('members/name', { ...memberRefOf(actor), name }),

  'me/password': async ({ actor, session, input, requester, change }, context) => {
    const memberRef = memberRefOf(actor);
    const { password: hasPassword, directory, passkeys } = await context.store.panel.factors(memberRef);
    if (directory) return fault('invalid', passwordOfDirectory);
    const hasProvider = (await context.store.providers.ofMember(memberRef)).some(({ identity }) => identity);
    // Without any of these nothing could be confirmed: the person came by a link and chooses one of them now.
    if ((hasPassword || passkeys > 0 || hasProvider) && !isFresh(session, context.now()))
      return fault('forbidden', {
        code: confirmCode,
        message: 'Confirm that it is you, then try again.',
      });
    const message = passwordProblem(input.password);
    if (message !== undefined) return fault('invalid_password', { field: 'password', message });
    const password = await context.hashPassword(input.password, wideNetworkOf(requester.address));
    if (isFault(password)) return password;
    return change('members/password', { ...memberRef, password, keep: session.id });
  },

  'me/sessions': async ({ actor, session }, { store, now }) => {
    const all = await store.panel.sessions(memberRefOf(actor));
    return {
      data: all
        .filter((each) => isLive(each, now()))
        .map(({ id, createTime, seenTime, address, userAgent }) => ({
          id,
          here: id === session.id,
          create_time: createTime,
          last_seen: seenTime,
          address,
          user_agent: userAgent,
        })),
    };
  },

  'me/sessions/end': async ({ actor, input, change }) =>
    change('panel/sessions/end', { ...memberRefOf(actor), id: input.id }),

  'me/sessions/end-all': async ({ actor, change }) => {
    await change('panel/sessions/end-all', memberRefOf(actor));
    return { cookie: 'clear' };
  },

  'me/confirm': async (request, context) => {
    const { actor, session, input, requester } = request;
    const guess = await context.tries.confirmations.guess([String(session.id)], requester.address);
    if (guess.allowed.length === 0) return fault('busy');
    const person = await context.store.panel.find(memberRefOf(actor));
    const given = { password: input.password, queueKey: wideNetworkOf(requester.address) };
    const match = person ? await checkPassword(person, given, context) : 'wrong';
    if (match !== 'wrong') guess.undo(); // also if the queue was full and nothing was checked
    if (isFault(match)) return match;
    if (match !== 'right') return notSignedIn('The password is wrong.');
    return confirmIdentity(request, context);
  },
};
