/** Logout tokens of identity providers (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6). */
import type { FetchImplementation, JWTPayload } from 'jose';
import {
  maxSubjectLength,
  type ProviderConnection,
  type ProviderLogout,
} from '../../domain/people/provider.ts';
import { createBoundedFetch, type FetchDeps } from './bounded-fetch.ts';

/** Loaded with the first use, because few servers need it. */
const load = () => import('jose');
type Jose = Awaited<ReturnType<typeof load>>;
export type SigningKeys = ReturnType<Jose['createRemoteJWKSet']>;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Only keys that the provider publishes: never a shared secret, and never no signature. */
const asymmetric = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

/** Older providers name no type, or the general one; the type of another kind of token is refused. */
const types = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'];

/** A token is accepted for this many seconds after it was made. */
const maxAge = 300;

/** The keys of a provider, fetched within the limits and again if one is not among them, at most every 30 seconds. */
export async function signingKeys(
  jwksUri: string,
  { ca }: ProviderConnection,
  deps: FetchDeps,
): Promise<SigningKeys> {
  const { createRemoteJWKSet, customFetch } = await load();
  const boundedFetch = createBoundedFetch(ca, deps);
  const fetchKeys: FetchImplementation = (url, { method, headers }) =>
    boundedFetch(url, { method, headers: Object.fromEntries(headers) });
  return createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: deps.limits.ms,
    [customFetch]: fetchKeys,
  });
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxSubjectLength;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the claims ask for, or why they are not those of a logout token. */
function toLogout(claims: JWTPayload): { logout: ProviderLogout } | { refused: string } {
  const { jti, sub: subject, sid, events } = claims;
  if (!isObject(events) || !isObject((events as Record<string, unknown>)[logoutEvent]))
    return { refused: 'events' };
  // An ID token has one: it must not pass for a logout token.
  if ('nonce' in claims) return { refused: 'nonce' };
  if (!isName(jti)) return { refused: 'jti' };
  if ((subject !== undefined && !isName(subject)) || (sid !== undefined && !isName(sid)))
    return { refused: 'sid' };
  if (subject === undefined && sid === undefined) return { refused: 'sid' };
  return { logout: { jti, subject, sid } };
}

/** Whether the text claims to be from the provider: nothing is fetched for anything else. Throws what jose throws. */
export async function claimsIssuer(token: string, { issuer }: ProviderConnection): Promise<boolean> {
  return (await load()).decodeJwt(token).iss === issuer;
}

interface Expected {
  keys: SigningKeys;
  /** The algorithms with which the provider signs its ID tokens. */
  algorithms: readonly string[];
  clockTolerance: number;
}

/** Verifies signature, type, issuer, audience and times, then what only logout tokens have. Throws what jose throws. */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId: audience }: ProviderConnection,
  { keys, algorithms, clockTolerance }: Expected,
): Promise<{ logout: ProviderLogout } | { refused: string }> {
  const { jwtVerify } = await load();
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: algorithms.filter((each) => asymmetric.test(each)),
    issuer,
    audience,
    clockTolerance,
    maxTokenAge: maxAge,
    requiredClaims: ['exp', 'iat', 'jti', 'events'],
  });
  return types.includes(protectedHeader.typ?.toLowerCase()) ? toLogout(payload) : { refused: 'typ' };
}
