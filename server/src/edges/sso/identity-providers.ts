/** The conversation with identity providers: OpenID Connect with authorization code, PKCE, nonce and state. */
import { hash } from 'node:crypto';
import type { ClientAuth, Configuration } from 'openid-client';
import {
  maxSubjectLength,
  toSsoPerson,
  type IdentityProviders,
  type ProviderConnection,
  type ProviderProblem,
  type SsoRedirect,
  type SsoAnswer,
} from '../../domain/people/provider.ts';
import { createBoundedFetch, problemIn, type FetchDeps } from './bounded-fetch.ts';
import { claimsIssuer, signingKeys, verifyLogoutToken, type SigningKeys } from './logout-token.ts';

/** Loaded with the first use, because few servers need it. */
const load = () => import('openid-client');
type OpenIdClient = Awaited<ReturnType<typeof load>>;

/** How far the clocks of server and provider may differ, in seconds. */
const clockToleranceSeconds = 30;

/** A person who had to authenticate again has at most this many seconds from then until the answer arrives. */
const maxAuthenticationAge = 600;

/** How long what a provider says about itself is used again, and for how many providers. */
const keptMs = 300_000;
const maxKept = 200;

const wellKnown = '/.well-known/openid-configuration';

interface Kept {
  config: Promise<Configuration>;
  until: number;
}

/** Sends the secret in the header, as the standard prefers, unless the provider accepts it only in the body. */
const authenticateClient =
  ({ ClientSecretBasic, ClientSecretPost }: OpenIdClient, { clientSecret }: ProviderConnection): ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic');
    return (isBasic ? ClientSecretBasic : ClientSecretPost)(clientSecret ?? '')(server, ...rest);
  };

async function discover(provider: ProviderConnection, deps: FetchDeps): Promise<Configuration> {
  const client = await load();
  const boundedFetch = createBoundedFetch(provider.ca, deps);
  // The library accepts any path that ends like this; the issuer in the document must then be exactly ours.
  const address = new URL(`${provider.issuer.replace(/\/$/, '')}${wellKnown}`);
  const metadata = { [client.clockTolerance]: clockToleranceSeconds };
  const config = await client.discovery(
    address,
    provider.clientId,
    metadata,
    authenticateClient(client, provider),
    {
      [client.customFetch]: boundedFetch,
      execute: [client.enableNonRepudiationChecks],
    },
  );
  if (config.serverMetadata().issuer !== provider.issuer) throw new Error('provider: wrong_issuer');
  config[client.customFetch] = boundedFetch;
  config.timeout = deps.limits.ms / 1_000;
  return config;
}

/** What the discovery document lacks. */
function documentProblem(config: Configuration): ProviderProblem | undefined {
  const metadata = config.serverMetadata();
  const { authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = metadata;
  if (authorize === undefined || token === undefined || keys === undefined) return 'unreadable';
  if (!URL.canParse(authorize)) return 'unreadable';
  if (![authorize, token, keys].every((each) => each.startsWith('https://'))) return 'insecure_endpoint';
  if (metadata.response_types_supported?.includes('code') === false) return 'no_code_flow';
  // Many providers support it without saying so; one that lists other methods only does not.
  const methods = metadata.code_challenge_methods_supported;
  return methods !== undefined && !methods.includes('S256') ? 'no_pkce' : undefined;
}

/** What an error of the library, or of the connection, says about the provider. */
function toProblem(error: unknown): ProviderProblem {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 4; each = each.cause, depth++) {
    const named = problemIn(each.message);
    if (named) return named;
    if ('status' in each && each.status === 404) return 'not_found';
    if ('code' in each && each.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'wrong_issuer';
    if (/unexpected HTTP/i.test(each.message)) return 'not_found';
    if ('code' in each && /PARSE|NOT_JSON|INVALID_RESPONSE/.test(String(each.code))) return 'unreadable';
  }
  return 'failed';
}

/** Whether the provider refused this server itself, not the person. */
const isRefusedClient = (error: unknown): boolean =>
  error instanceof Error &&
  'error' in error &&
  ['invalid_client', 'unauthorized_client'].includes(String(error.error));

/** What providers answer instead of a code: words, so that none of them writes sentences on our pages. */
const errorForm = /^[a-z_]{1,64}$/;

/** The reason that the person sees: what the provider answered, the claim that is wrong, or the code of the library. */
const toReason = (error: unknown): string => {
  const { code, error: answered, claim } = error as { code?: unknown; error?: unknown; claim?: unknown };
  if (typeof answered === 'string') return errorForm.test(answered) ? answered : 'unknown_error';
  const reason = [claim, code].find((each) => typeof each === 'string');
  return reason?.slice(0, 64) ?? 'invalid';
};

/** True where the connection failed, or the provider could not be read: the person did nothing wrong. */
const isOutage = (problem: ProviderProblem): boolean =>
  [
    'unreachable',
    'address',
    'certificate',
    'timeout',
    'too_large',
    'not_found',
    'insecure_endpoint',
  ].includes(problem);

async function exchange(config: Configuration, provider: ProviderConnection, returned: SsoAnswer) {
  const client = await load();
  const url = new URL(returned.redirectUri);
  url.search = returned.response;
  const since = returned.reauthenticatedSince;
  const tokens = await client.authorizationCodeGrant(config, url, {
    expectedState: returned.state,
    expectedNonce: returned.nonce,
    pkceCodeVerifier: returned.verifier,
    idTokenExpected: true,
    ...(since !== undefined && { maxAge: maxAuthenticationAge }),
  });
  const claims = tokens.claims()!;
  if (claims.sub.length > maxSubjectLength) return { refused: 'subject_too_long' };
  if (since !== undefined && Number(claims.auth_time) < since - clockToleranceSeconds)
    return { refused: 'not_reauthenticated' };
  const wanted = ['email', provider.groupsClaim].filter((each) => each !== '');
  const isComplete = wanted.every((each) => claims[each] !== undefined);
  const more =
    isComplete || config.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { person: toSsoPerson({ ...more, ...claims }, provider.groupsClaim) };
}

/** The names of what decides who the provider is: a change of any of them is another conversation. */
const keyOf = ({ issuer, ca, clientId, clientSecret }: ProviderConnection): string =>
  hash('sha256', JSON.stringify([issuer, ca, clientId, clientSecret]));

type ConfigOf = (provider: ProviderConnection) => Promise<Configuration>;

/** Remembers for a while what providers say about themselves. */
function createConfigCache(deps: FetchDeps, nowMs: () => number): ConfigOf {
  const kept = new Map<string, Kept>();
  return async (provider) => {
    const key = keyOf(provider);
    const known = kept.get(key);
    if (known && known.until > nowMs()) return known.config;
    const config = discover(provider, deps);
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, { config, until: nowMs() + keptMs });
    config.catch(() => kept.delete(key));
    return config;
  };
}

async function buildUrl(
  config: Configuration,
  { scopes: scope }: ProviderConnection,
  { redirectUri, state, nonce, verifier, reauthenticatedSince }: SsoRedirect,
): Promise<{ url: string } | { problem: ProviderProblem }> {
  const client = await load();
  const problem = documentProblem(config);
  if (problem) return { problem };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(reauthenticatedSince !== undefined && { prompt: 'login', max_age: '0' }),
  });
  return { url: url.href };
}

/** Why an answer does not count, or what is wrong with the provider. */
function toRefusal(error: unknown): { problem: ProviderProblem } | { refused: string } {
  if (isRefusedClient(error)) return { problem: 'credentials' };
  const problem = toProblem(error);
  return isOutage(problem) ? { problem } : { refused: toReason(error) };
}

async function signOutUrl(config: Configuration, returnTo: string): Promise<string | undefined> {
  if (!config.serverMetadata().end_session_endpoint?.startsWith('https://')) return undefined;
  return (await load()).buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
}

/** Reads logout tokens. The keys of a provider are used for as long as what it says about itself. */
function createLogoutReader(configOf: ConfigOf, deps: FetchDeps): IdentityProviders['readLogout'] {
  const keysOf = new WeakMap<Configuration, Promise<SigningKeys>>();
  return async (provider, token) => {
    if (!(await claimsIssuer(token, provider))) return { refused: 'iss' };
    const config = await configOf(provider);
    const problem = documentProblem(config);
    if (problem) return { problem };
    const metadata = config.serverMetadata();
    const keys = keysOf.get(config) ?? signingKeys(metadata.jwks_uri!, provider, deps);
    keysOf.set(config, keys);
    return verifyLogoutToken(token, provider, {
      keys: await keys,
      algorithms: metadata.id_token_signing_alg_values_supported ?? ['RS256'],
      clockTolerance: clockToleranceSeconds,
    });
  };
}

/** Signing in needs the secret; the end of sessions does not, and works without it. */
const secretProblem = ({ clientSecret }: ProviderConnection) =>
  clientSecret === undefined ? { problem: 'secret_unreadable' as const } : undefined;

export function createIdentityProviders(deps: FetchDeps, nowMs: () => number): IdentityProviders {
  const configOf = createConfigCache(deps, nowMs);
  const readLogout = createLogoutReader(configOf, deps);
  const failing = (error: unknown): { problem: ProviderProblem } => ({ problem: toProblem(error) });
  return {
    check: async (provider) =>
      secretProblem(provider)?.problem ?? (await discover(provider, deps).then(documentProblem, toProblem)),
    authorizationUrl: async (provider, redirect) =>
      secretProblem(provider) ??
      configOf(provider)
        .then((config) => buildUrl(config, provider, redirect))
        .catch(failing),
    complete: async (provider, returned) =>
      secretProblem(provider) ??
      configOf(provider)
        .then((config) => exchange(config, provider, returned))
        .catch(toRefusal),
    // The person is signed out here in any case.
    signOutUrl: async (provider, returnTo) =>
      configOf(provider)
        .then((config) => signOutUrl(config, returnTo))
        .catch(() => undefined),
    readLogout: (provider, token) => readLogout(provider, token).catch(toRefusal),
  };
}
