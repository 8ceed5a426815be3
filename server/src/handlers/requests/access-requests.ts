/** Team: access for a while. One function per row of contract/src/v1/access-requests.ts. */
import { isFault } from '@drawbridge/contract/faults';
import type { accessRequests as table } from '@drawbridge/contract/v1/access-requests';
import type { Actor } from '../../domain/people/access.ts';
import {
  askableTypes,
  type AccessRequestRecord,
  type NewAccessRequest,
} from '../../domain/people/access-requests.ts';
import { accessDecisionEmail, accessRequestEmail, type Email } from '../../domain/emails.ts';
import type { HandlerContext, Handlers } from '../handler.ts';

/** The most roles of each type that are offered: an account can have any number of them. */
const offeredRoles = { offset: 0, limit: 200 };

export const accessRequestHandlers: Handlers<typeof table> = {
  'team/access/request/create': async ({ actor, input, change }, context) => {
    const outcome = await change('requests/create', wantedBy(actor, input));
    if (isFault(outcome)) return outcome;
    tellDeciders(context, actor, { ...input, deciders: outcome.deciders, emergency: false });
    return { id: outcome.id };
  },

  'team/access/emergency': async ({ actor, input, change }, context) => {
    const outcome = await change('requests/emergency', wantedBy(actor, input));
    if (isFault(outcome)) return outcome;
    const { id, until, deciders } = outcome;
    tellDeciders(context, actor, { ...input, deciders, emergency: true });
    return { id, until };
  },

  'team/access/request/list': async (
    { actor, input: { state, own, ...page }, granted: [scope] },
    { store },
  ) => {
    const memberId = own || scope === 'own' ? actor.memberId : undefined;
    const { total, requests } = await store.requests.list(actor.accountId, { memberId, state, ...page });
    return { total, data: requests.map(requestView) };
  },

  'team/access/request/options': async ({ actor }, { store }) => {
    const { accountId } = actor;
    const { maxMinutes, emergency } = await store.requests.settings(accountId);
    const roles = await Promise.all(
      askableTypes(actor).map(async (type) =>
        (await store.roles.list(accountId, { type, ...offeredRoles })).map(({ id, name, permissions }) => ({
          id,
          name,
          type,
          permission: [...permissions],
        })),
      ),
    );
    return { max_minutes: maxMinutes, emergency, data: maxMinutes === 0 ? [] : roles.flat() };
  },

  'team/access/request/approve': async ({ actor, input, change }, context) => {
    const outcome = await change('requests/approve', decisionBy(actor, input));
    if (isFault(outcome)) return outcome;
    tellPerson(context, actor, { to: outcome.email });
    return { until: outcome.until };
  },

  'team/access/request/deny': async ({ actor, input: { id, reason }, change }, context) => {
    const outcome = await change('requests/deny', { ...decisionBy(actor, { id }), decision: reason });
    if (isFault(outcome)) return outcome;
    tellPerson(context, actor, { to: outcome.email, denied: reason });
    return {};
  },

  'team/access/request/cancel': async ({ actor, input, change }) => {
    const outcome = await change('requests/cancel', decisionBy(actor, input));
    return isFault(outcome) ? outcome : {};
  },

  'team/access/request/settings': async ({ actor, input, change }) =>
    change('requests/settings', {
      accountId: actor.accountId,
      by: actor.memberId,
      ...(input.max_minutes !== undefined && { maxMinutes: input.max_minutes }),
      ...(input.emergency !== undefined && { emergency: input.emergency }),
    }),
};

const pageUrl = ({ publicUrl }: HandlerContext): string => `${publicUrl}/panel/requests`;

interface ToldRequest {
  reason: string;
  minutes: number;
  emergency: boolean;
  deciders: readonly string[];
}

/**
 * Mails everyone who may decide, as far as the budgets of e-mails allow, and about an emergency in any case. The response does
 * not wait for the mail server.
 */
function tellDeciders(context: HandlerContext, actor: Actor, told: ToldRequest): void {
  const { reason, minutes, emergency, deciders } = told;
  const request = { who: actor.email, reason, minutes, emergency, url: pageUrl(context) };
  const emails = deciders.map((to) => accessRequestEmail(to, request));
  if (!emergency) void context.mailBy?.(actor, emails);
  else if (context.mailEmergency) void mailEverybody(emails, context.mailEmergency);
}

/** How many e-mails are given to the mail server at the same time. */
const parallelEmails = 10;

/** All of them, however many: an emergency is told to everybody who could have decided. */
async function mailEverybody(
  emails: readonly Email[],
  send: (email: Email) => Promise<boolean>,
): Promise<void> {
  for (let at = 0; at < emails.length; at += parallelEmails)
    await Promise.all(emails.slice(at, at + parallelEmails).map(send));
}

interface ToldDecision {
  to: string;
  /** Why it was denied. */
  denied?: string;
}

function tellPerson(context: HandlerContext, actor: Actor, { to, denied }: ToldDecision): void {
  if (to === '') return;
  const decision = { by: actor.email, ...(denied !== undefined && { denied }), url: pageUrl(context) };
  void context.mailBy?.(actor, [accessDecisionEmail(to, decision)]);
}

interface WantedFields {
  role_id: number;
  agent_id?: number | undefined;
  group_id?: number | undefined;
  reason: string;
  minutes: number;
}

const wantedBy = ({ accountId, memberId }: Actor, fields: WantedFields): NewAccessRequest => ({
  accountId,
  memberId,
  roleId: fields.role_id,
  agentId: fields.agent_id,
  groupId: fields.group_id,
  reason: fields.reason,
  minutes: fields.minutes,
});

const decisionBy = <Fields>({ accountId, memberId: by }: Actor, fields: Fields) => ({
  accountId,
  by,
  ...fields,
});

const requestView = (request: AccessRequestRecord) => ({
  id: request.id,
  state: request.state,
  email: request.email,
  role_id: request.roleId,
  role: request.role,
  permission: [...request.permissions],
  ...(request.agentId !== null && { agent_id: request.agentId, agent: request.agent ?? '' }),
  ...(request.groupId !== null && { group_id: request.groupId, group: request.group ?? '' }),
  reason: request.reason,
  minutes: request.minutes,
  emergency: request.emergency,
  create_time: request.createTime,
  expire_time: request.expireTime,
  ...(request.decidedBy !== null && { decided_by: request.decidedBy }),
  ...(request.decideTime !== null && { decide_time: request.decideTime }),
  decision: request.decision,
  ...(request.until !== null && { until: request.until }),
});
