/** Password resets: a link by e-mail for anyone who asks, or one that somebody with the same rights creates. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Panel } from '@drawbridge/contract/panel/index';
import { forgotPasswordEmail, resetPasswordEmail } from '../../domain/emails.ts';
import { resetLifetime, signInLifetime, type Member } from '../../domain/people/members.ts';
import { fold } from '../../domain/text.ts';
import type { PanelHandlers, PanelContext } from '../handler.ts';

type Rows = Pick<Panel, 'sign-in/forgot' | 'member/reset'>;

/** The most accounts for which one person receives links at once. */
const maxAccounts = 8;

/** The address of a link, and what the store keeps of it. */
function newLink({ random, digestOf, now, publicUrl }: PanelContext, lifetime: number) {
  const token = random.token();
  const link = { digest: digestOf(token), expireTime: now() + lifetime };
  return { url: `${publicUrl}/sign-in/${token}`, link };
}

/** Creates a link to the account of one person and logs it there; none if they never signed in, or links do not count there. */
async function linkFor({ accountId, id, email }: Member, address: string, context: PanelContext) {
  if (await context.store.providers.onlySso(accountId)) return [];
  const { url, link } = newLink(context, resetLifetime);
  const input = JSON.stringify({ email });
  const line = {
    accountId,
    memberId: id,
    email: fold(email),
    address,
    operation: 'panel/sign-in/forgot',
    input,
  };
  const created = await context.store.change(
    'members/reset',
    { accountId, email, link, forget: false },
    line,
  );
  if (isFault(created)) return [];
  const found = await context.store.panel.find({ accountId, memberId: id });
  return [{ url, owner: found?.ownerEmail ?? email }];
}

/** Sends everyone with this address a link to each of their accounts; sends nothing if there is nobody. */
async function sendLinks(email: string, address: string, context: PanelContext): Promise<void> {
  const people = (await context.store.members.everywhere(email)).slice(0, maxAccounts);
  // Uses the stored address, not the spelling of the request: two spellings can be two mailboxes of two people.
  for (const [to, members] of Map.groupBy(people, (person) => person.email)) {
    const links = await Promise.all(members.map((person) => linkFor(person, address, context)));
    if (links.flat().length > 0) await context.mail?.(forgotPasswordEmail(to, links.flat()));
  }
}

export const resetHandlers: PanelHandlers<Rows> = {
  'sign-in/forgot': async ({ input, requester }, context) => {
    if (!context.mail)
      return fault('invalid', {
        code: 'no_mail',
        message: 'This server does not send mail. Ask the person who invited you for a new link.',
      });
    if (!(await context.tries.mayEmail(fold(input.email), requester.address))) return fault('busy');
    // Runs after the response, which therefore takes as long for an unknown address as for a known one.
    context.runAfterResponse(() => sendLinks(input.email, requester.address, context));
    return {};
  },

  'member/reset': async ({ actor, input, change }, context) => {
    if (await context.store.providers.onlySso(actor.accountId))
      return fault('invalid', {
        code: 'sso_only',
        message: 'People of this account sign in only with an identity provider: links do not work.',
      });
    const { url, link } = newLink(context, signInLifetime);
    const { accountId, memberId: by } = actor;
    const { email, factors: forget } = input;
    const created = await change('members/reset', { accountId, by, email, link, forget });
    if (isFault(created)) return created;
    const mailed = await context.mailBy?.(actor, [resetPasswordEmail(email, { by: actor.email, url })]);
    return { url, mailed: mailed ?? false };
  },
};
