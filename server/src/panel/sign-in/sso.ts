/** Single sign-on. One function per row of contract/src/panel/sso.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Panel } from '@drawbridge/contract/panel/index';
import type { Actor } from '../../domain/people/access.ts';
import type { ProvenMemberRef } from '../../domain/people/panel.ts';
import { unvouchedProvider } from '../../domain/people/provider.ts';
import { normalizeSignInName } from '../../domain/people/sign-in-name.ts';
import type { CurrentSession, PanelContext, PanelHandlers } from '../handler.ts';
import { confirmIdentity } from '../rows/me.ts';
import { newPanelSession, newSignInStep, replaceSession } from './sign-in-steps.ts';
import { leaveForProvider, personFrom, ssoExpired, takeStep } from './sso-steps.ts';

type Rows = Pick<
  Panel,
  | `sign-in/sso${'' | '/begin'}`
  | `me/sso${'' | '/begin' | '/connect' | '/remove'}`
  | `me/confirm/sso${'' | '/begin'}`
>;

const unknownName = fault('not_found', {
  field: 'name',
  message:
    'No identity provider has this sign-in name. Check it, or ask the people who look after your account.',
});

/** In the audit log, while nobody knows who the person is. */
const somebody = 'single sign-on';

const memberRefOf = ({ accountId, memberId }: Actor) => ({ accountId, memberId });

/** The person with their session: what they begin there must be finished there. */
const inSession = (actor: Actor, { id }: CurrentSession, { digestOf }: PanelContext): ProvenMemberRef => ({
  ...memberRefOf(actor),
  proof: digestOf(`session ${id}`),
});

const enabledProvider = async (accountId: number, id: number, { store }: PanelContext) => {
  const provider = await store.providers.connection(accountId, id);
  return provider?.enabled ? provider : undefined;
};

const missing = fault('not_found', { field: 'id' });

export const ssoHandlers: PanelHandlers<Rows> = {
  'sign-in/sso/begin': async ({ input, requester, identify }, context) => {
    if (!(await context.tries.maySso(requester.address))) return fault('busy');
    const provider = await context.store.providers.bySignInName(normalizeSignInName(input.name));
    if (!provider) return unknownName;
    const left = await leaveForProvider(provider, { kind: 'sso', requester }, context);
    // Beginnings leave no line: anyone who knows the name could fill the log with them.
    if (isFault(left)) identify({ accountId: provider.accountId, memberId: null, email: somebody });
    return left;
  },

  'sign-in/sso': async ({ input, requester, identify, change }, context) => {
    if (!(await context.tries.maySso(requester.address))) return fault('busy');
    const onAccount = (of: number) => identify({ accountId: of, memberId: null, email: somebody });
    const step = await takeStep(input, { kind: 'sso', requester, onAccount }, context);
    if (!step) return ssoExpired;
    const { provider, begun } = step;
    const { accountId, id } = provider;
    const person = await personFrom(step, input, context);
    if (isFault(person)) return person;
    const holder = await context.store.providers.holder(provider, person.subject);
    identify(holder ?? { accountId, memberId: null, email: person.email ?? somebody });
    const { token, session } = newPanelSession(requester, context);
    const given = { accountId, id, person, session: { ...session, begun } };
    const signedIn = await change('providers/sign-in', given);
    if (isFault(signedIn)) return signedIn;
    if (!signedIn.asksForCode) return replaceSession(token, requester, context);
    const proven = { accountId, memberId: signedIn.memberId, providerId: id, sid: person.sid, begun };
    const next = newSignInStep('code', [proven], context);
    await context.store.change('panel/steps/begin', next.stored);
    return { next: 'code', step: next.step };
  },

  'me/sso': async ({ actor }, { store }) => ({
    data: (await store.providers.ofMember(memberRefOf(actor))).map(({ id, name, identity }) => ({
      id,
      name,
      connected: identity !== undefined,
      ...(identity && { email: identity.email, last_used: identity.lastTime }),
    })),
  }),

  'me/sso/begin': async ({ actor, session, input, requester }, context) => {
    const provider = await enabledProvider(actor.accountId, input.id, context);
    if (!provider) return missing;
    // Checked again when the browser returns. Nobody is sent to the provider for an answer that is refused anyway.
    if (!(await context.store.providers.isVouched(memberRefOf(actor), provider.id))) return unvouchedProvider;
    const by = inSession(actor, session, context);
    return leaveForProvider(provider, { kind: 'sso_link', requester, by }, context);
  },

  'me/sso/connect': async ({ actor, session, input, requester, change }, context) => {
    const by = inSession(actor, session, context);
    const begun = await takeStep(input, { kind: 'sso_link', requester, by }, context);
    if (!begun) return ssoExpired;
    const person = await personFrom(begun, input, context);
    if (isFault(person)) return person;
    return change('providers/link', { ...memberRefOf(actor), id: begun.provider.id, person });
  },

  'me/sso/remove': async ({ actor, input: { id }, change }) =>
    change('providers/unlink', { ...memberRefOf(actor), id }),

  'me/confirm/sso/begin': async ({ actor, session, input, requester }, context) => {
    const own = await context.store.providers.ofMember(memberRefOf(actor));
    const isOwn = own.some(({ id, identity }) => id === input.id && identity);
    const provider = isOwn ? await enabledProvider(actor.accountId, input.id, context) : undefined;
    if (!provider) return missing;
    if (!(await context.tries.maySso(requester.address))) return fault('busy');
    const by = inSession(actor, session, context);
    return leaveForProvider(provider, { kind: 'sso_confirm', requester, by }, context);
  },

  'me/confirm/sso': async (request, context) => {
    const { actor, session, input, requester } = request;
    const by = inSession(actor, session, context);
    const begun = await takeStep(input, { kind: 'sso_confirm', requester, by }, context);
    if (!begun) return ssoExpired;
    const person = await personFrom(begun, input, context);
    if (isFault(person)) return person;
    const holder = await context.store.providers.holder(begun.provider, person.subject);
    if (holder?.memberId !== actor.memberId)
      return fault('forbidden', {
        code: 'sso_other_person',
        message: 'You signed in with an identity that is not yours here.',
      });
    return confirmIdentity(request, context);
  },
};
