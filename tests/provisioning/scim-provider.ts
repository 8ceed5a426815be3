/** An identity provider that calls `/scim/v2` with a token. */
import type { TestPerson } from '../kit/server/account.ts';
import type { PlainResponse, TestClient } from '../kit/server/test-client.ts';

interface ScimReply {
  http: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  headers: PlainResponse['headers'];
}

export interface ScimProvider {
  tokenId: number;
  token: string;
  send(method: string, path: string, body?: unknown): Promise<ScimReply>;
}

export function openProvider({ send }: Pick<TestClient, 'send'>, token: string, tokenId = 0): ScimProvider {
  return {
    token,
    tokenId,
    async send(method, path, body) {
      const { http, text, headers } = await send({
        method,
        path: `/scim/v2${path}`,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'Content-Type': 'application/scim+json; charset=utf-8' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { http, body: text === '' ? undefined : JSON.parse(text), headers };
    },
  };
}

/** A provider with a token that this person creates. */
export async function createProvider(
  testClient: Pick<TestClient, 'send'>,
  person: TestPerson,
  params: Record<string, unknown> = { name: 'Okta' },
): Promise<ScimProvider> {
  const { body } = await person.call('team/scim/token/create', params);
  return openProvider(testClient, body['token'], body['id']);
}

export const patchOf = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});
