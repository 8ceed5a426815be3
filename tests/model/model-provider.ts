/** The identity provider of the model: what it says about a person is in the query with which the browser returns. */
import type { IdentityProviders } from '@drawbridge/server/domain/people/provider';

/** The query with which the browser returns from this address, as a person in these groups. */
export function toResponse(authorizationUrl: string, email: string, groups: readonly string[]): string {
  const query = new URL(authorizationUrl).searchParams;
  query.append('email', email);
  for (const group of groups) query.append('group', group);
  return query.toString();
}

export const modelProviders: IdentityProviders = {
  check: async () => undefined,
  authorizationUrl: async (_provider, { state }) => ({ url: `https://id.example.com/?state=${state}` }),
  async complete(_provider, { response }) {
    const query = new URLSearchParams(response);
    const email = query.get('email')!;
    return { person: { subject: email, email, emailVerified: true, groups: query.getAll('group') } };
  },
  signOutUrl: async () => undefined,
  readLogout: async () => ({ refused: 'never_sent' }),
};
