/** Team: the people of the account. One function per row of contract/src/v1/members.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import {
  permissionIds,
  permissionsOf,
  type AgentPermission,
  type Permission,
} from '@drawbridge/contract/permissions';
import type { members as table } from '@drawbridge/contract/v1/members';
import {
  grantsByPermissionOnAgent,
  type Actor,
  type RoleGrant,
  type AgentRef,
} from '../domain/people/access.ts';
import { invitationEmail } from '../domain/emails.ts';
import { inviteLifetime } from '../domain/people/members.ts';
import type { Handlers } from './handler.ts';

export const memberHandlers: Handlers<typeof table> = {
  'team/member/list': async ({ actor, input }, { store }) => {
    const { total, members: found } = await store.members.list(actor.accountId, input);
    return {
      total,
      data: found.map(({ id, email, owner, state, createTime, departments }) => ({
        id,
        email,
        owner,
        state,
        create_time: createTime,
        departments,
      })),
    };
  },

  'team/member/invite': async ({ actor, ownerEmail, input, change }, context) => {
    const { random, digestOf, now, publicUrl, mailBy } = context;
    // Two links: the one in the response works only while the caller has all rights of the invited person; the emailed one is the person's own.
    const [token, sent] = [random.token(), random.token()];
    const link = { digest: digestOf(token), expireTime: now() + inviteLifetime };
    const emailedLink = mailBy && { emailedLink: { digest: digestOf(sent) } };
    const { accountId, memberId: by } = actor;
    const outcome = await change('members/invite', {
      accountId,
      by,
      email: input.email,
      link,
      ...emailedLink,
    });
    if (isFault(outcome)) return outcome;
    const urlOf = (each: string): string => `${publicUrl}/invite/${each}`;
    const email = invitationEmail(input.email, { owner: ownerEmail, url: urlOf(sent) });
    const mailed = await mailBy?.(actor, [email]);
    return {
      id: outcome.id,
      ...(outcome.shown && { url: urlOf(token) }),
      ...(mailed !== undefined && { mailed }),
    };
  },

  'team/member/remove': async ({ actor, input, change }) =>
    change('members/remove', { accountId: actor.accountId, email: input.email }),

  'team/access/effective': async ({ actor, input, granted: [, agent] }, { store }) => {
    const person = await store.actors.byEmail(actor.accountId, input.email);
    if (!person) return fault('not_found', { field: 'email' });
    return {
      data: {
        id: person.memberId,
        email: person.email,
        agent_id: agent.id,
        owner: person.owner,
        permissions: explainPermissions(person, agent),
      },
    };
  },
};

/** Lists each permission that the person has on the device, with the grants it comes from. Owners have all without grants. */
function explainPermissions(person: Actor, agentRef: AgentRef) {
  const through = grantsByPermissionOnAgent(person, agentRef);
  const held = permissionIds('agent').filter((permission) => person.owner || through.has(permission));
  return held.map((permission) => ({
    permission,
    says: permissionsOf.agent[permission as AgentPermission],
    through: grantsFor(through, permission),
  }));
}

const grantsFor = (through: Map<Permission, RoleGrant[]>, permission: Permission) =>
  (through.get(permission) ?? []).map((grant) => ({
    role_id: grant.roleId,
    role: grant.roleName,
    scope: grant.type as 'agent' | 'group',
    ...(grant.groupId !== null && { group_id: grant.groupId }),
    ...(grant.departmentId !== null && { department_id: grant.departmentId }),
    ...(grant.until !== null && { until: grant.until }),
  }));
