/** The conversation with a provider whose clock differs, whose keys change, or that signs in another way. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ProviderConnection } from '../../domain/people/provider.ts';
import { startForgingProvider, type ForgingProvider } from '../../../../tests/kit/sso/forging-provider.ts';
import { createIdentityProviders } from './identity-providers.ts';

describe('identity providers', () => {
  let forging: ForgingProvider;
  let provider: ProviderConnection;
  let nowMs = 0;
  const deps = { limits: { ms: 5_000, bytes: 100_000 }, allowLoopback: true };
  const providers = createIdentityProviders(deps, () => nowMs);
  before(async () => {
    forging = await startForgingProvider();
    const { issuer, ca } = forging;
    const settings = {
      name: 'p',
      clientId: 'c',
      scopes: 'openid email',
      groupsClaim: '',
      createPeople: true,
    };
    const rest = {
      accountId: 1,
      id: 1,
      signInName: 'n',
      clientSecret: 'secret',
      adopt: false,
      enabled: true,
    };
    provider = { ...settings, ...rest, issuer, ca };
  });
  after(() => forging[Symbol.asyncDispose]());
  beforeEach(() => void Object.assign(forging, { claims: {}, header: {}, forgedSignature: undefined }));

  /** The subject of the person who signed in, or why nobody did. */
  async function signIn(): Promise<string> {
    const redirect = {
      redirectUri: 'https://here.example/panel/sso/n/return',
      state: 's',
      nonce: 'n',
      verifier: 'v'.repeat(43),
    };
    const left = await providers.authorizationUrl(provider, redirect);
    assert.ok('url' in left, JSON.stringify(left));
    const { response } = forging.answer(left.url);
    const answer = await providers.complete(provider, { ...redirect, response });
    if ('person' in answer) return answer.person.subject;
    return 'refused' in answer ? answer.refused : answer.problem;
  }

  test('clocks may differ by half a minute', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const answers: string[] = [];
    for (const claims of [{ exp: now - 15 }, { nbf: now + 15 }, { exp: now - 60 }, { nbf: now + 60 }]) {
      forging.claims = claims;
      answers.push(await signIn());
    }
    const outside = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
    assert.deepEqual(answers, ['forged', 'forged', outside, outside]);
  });

  test('tokens without a signature, or signed with a secret, are refused, whatever the provider says it supports', async () => {
    forging.document = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
    nowMs += 300_001;
    const signed = (key: string) => (text: string) =>
      createHmac('sha256', key).update(text).digest('base64url');
    const forgeries: [object, (text: string) => string][] = [
      [{ alg: 'none' }, () => ''],
      [{ alg: 'HS256' }, signed('secret')],
      [{ alg: 'HS256' }, signed(forging.ca)],
      [{ alg: 'RS256' }, () => ''],
      [{ alg: 'RS512' }, () => 'AAAA'],
    ];
    for (const [header, forgedSignature] of forgeries) {
      Object.assign(forging, { header, forgedSignature });
      assert.match(await signIn(), /^OAUTH_/, JSON.stringify(header));
    }
    Object.assign(forging, { header: {}, forgedSignature: undefined });
    assert.equal(await signIn(), 'forged');
  });

  test('a key that the provider replaced no longer counts, and the new one does after five minutes at the latest', async () => {
    assert.equal(await signIn(), 'forged');
    const { kid } = JSON.parse(Buffer.from(forging.token({}).split('.')[0]!, 'base64url').toString());
    forging.rotateKey();
    nowMs += 300_001;
    const [renewed] = [await signIn()];
    Object.assign(forging, { header: { kid } });

    assert.equal(renewed, 'forged');
    assert.match(await signIn(), /^OAUTH_/);
  });
});
