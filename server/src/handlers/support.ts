/** Quick support. One function per row of contract/src/v1/support.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { support as table } from '@drawbridge/contract/v1/support';
import { maySupport, type Actor } from '../domain/people/access.ts';
import { linkLifetime, operatorLinkPayload } from '../domain/sessions/links.ts';
import { remainOf } from '../domain/people/plan.ts';
import { isOpen, statusAt, type Invitation } from '../domain/support.ts';
import type { Handlers, HandlerContext } from './handler.ts';

export const supportHandlers: Handlers<typeof table> = {
  'support/list': async ({ actor, plan, granted: [scope] }, context) => {
    const { store, now, invitationLifetime } = context;
    const used = await store.plan.invitations(actor.accountId, now());
    const owner = scope === 'all' ? 'everyone' : actor.memberId;
    const open = await store.invitations.open(actor.accountId, owner, now() - invitationLifetime);
    return {
      remain: remainOf(plan.invitations, used),
      data: open.map((invitation) => view(invitation, actor, context)),
    };
  },

  'support/info': async ({ actor, granted: [invitation] }, context) => ({
    data: view(invitation, actor, context),
  }),

  'support/create': async ({ actor, input, change }, context) => {
    const { random } = context;
    const created = await change('invitations/create', {
      accountId: actor.accountId,
      memberId: actor.memberId,
      clientName: input.client_name,
      codes: [random.digits(9), random.digits(9)], // the second is for the rare case that the first is in use
      connectToken: random.token(),
    });
    return isFault(created) ? created : { data: view(created, actor, context) };
  },

  'support/update': async ({ granted: [invitation], input, change }) =>
    change('invitations/rename', {
      accountId: invitation.accountId,
      id: invitation.id,
      name: input.name,
    }),

  'support/connect': async ({ actor, granted: [invitation], input, change }, context) => {
    const { random, digestOf, now, publicUrl, invitationLifetime } = context;
    if (!isOpen(statusAt(invitation, now(), invitationLifetime)))
      return fault('invalid', {
        code: 'connection_closed',
        field: 'connection_id',
        message: 'The connection is closed.',
      });
    const code = random.token();
    const outcome = await change('links/add', {
      digest: digestOf(code),
      accountId: actor.accountId,
      memberId: actor.memberId,
      origin: 'api',
      agentId: null,
      invitationId: invitation.id,
      video: input.video ?? null,
      expireTime: now() + linkLifetime,
      signIn: actor.signIn,
    });
    return isFault(outcome) ? outcome : { data: { url: `${publicUrl}/c/${code}` } };
  },

  'support/close': async ({ granted: [invitation], change }, { invitationLifetime: lifetime }) => {
    const { accountId, id } = invitation;
    const outcome = await change('invitations/happen', { accountId, id, event: 'close', lifetime });
    return isFault(outcome) ? outcome : {};
  },
};

/** Links are shown only to callers who may use them. */
const view = (
  invitation: Invitation,
  actor: Actor,
  { now, publicUrl, invitationLifetime, hmacOf }: HandlerContext,
) => ({
  id: invitation.id,
  status: statusAt(invitation, now(), invitationLifetime),
  create_time: invitation.createTime,
  invite_code: invitation.code,
  invite_url: `${publicUrl}/i/${invitation.code}`,
  connect_url: maySupport(actor, 'agent_connect')
    ? `${publicUrl}/o/${invitation.id}.${actor.memberId}.${hmacOf(invitation.connectToken, operatorLinkPayload(actor.memberId))}`
    : '',
  client_name: actor.owner ? invitation.clientName : '',
  client_os: invitation.clientOs,
  client_preview_url:
    invitation.clientPreview && maySupport(actor, 'agent_preview')
      ? `${publicUrl}/preview/${invitation.clientPreview}`
      : '',
});
