/** Steps of identity providers: what their programs request with the token of a member, and how members sign in. */
import type { MemoryContext } from './memory-context.ts';
import type { Organisation } from './organisation.ts';
import { scimTokenOf } from './provider-rows.ts';
import type { StepId } from './steps.ts';

export type ProviderStepId = Extract<StepId, `scim/${string}` | 'sign-in/sso'>;

export const isProviderStep = (id: StepId): id is ProviderStepId =>
  id === 'sign-in/sso' || id.startsWith('scim/');

const toOperation = (
  id: ProviderStepId,
  { email, active, joins }: Record<string, unknown>,
  member: string,
) => {
  if (id === 'scim/active') return { op: 'replace', path: 'active', value: active };
  const changed = `changed-${String(email)}`;
  if (id === 'scim/address')
    return { op: 'replace', value: { userName: changed, emails: [{ value: changed, primary: true }] } };
  return joins
    ? { op: 'add', path: 'members', value: [{ value: member }] }
    : { op: 'remove', path: `members[value eq "${member}"]` };
};

interface EndedStep {
  ended: string;
  /** Who is signed in after a sign-in. */
  signedIn?: string | undefined;
}

/** Carries out a step as this person, who signs in or whose token is used. */
export async function performProviderStep(
  { store, providers }: MemoryContext,
  { accountId, providerName }: Organisation,
  actor: string,
  [id, params]: readonly [ProviderStepId, Record<string, unknown>],
): Promise<EndedStep> {
  if (id === 'sign-in/sso') {
    const groups = params['groups'] as readonly string[];
    const { ended, email } = await providers.signIn({ providerName, email: actor, groups });
    return { ended, signedIn: email };
  }
  const person = await store.actors.byEmail(accountId, params['email'] as string);
  const memberId = person?.memberId ?? 0;
  const operation = toOperation(id, params, String(memberId));
  const token = scimTokenOf(actor);
  const target =
    id === 'scim/group'
      ? { path: '/Groups/:id' as const, id: params['id'] as number }
      : { path: '/Users/:id' as const, id: memberId };
  return { ended: await providers.patch(accountId, { token, operation, ...target }) };
}
