/** Identity providers tell the server here that somebody was signed out there (OpenID Connect Back-Channel Logout 1.0). */
import { isFault } from '@drawbridge/contract/faults';
import { ssoLogoutPath } from '@drawbridge/contract/panel/sso';
import { providerAuditLine } from '../../domain/audit.ts';
import { networkOf } from '../../domain/networks.ts';
import type { ProviderConnection, ProviderLogout } from '../../domain/people/provider.ts';
import { normalizeSignInName } from '../../domain/people/sign-in-name.ts';
import { createRateLimiter } from '../../edges/rate-limiter.ts';
import type { PageRequest, PageResponse, Route } from '../../http/route.ts';
import { isOutage } from '../../store/outages.ts';
import type { PanelContext } from '../handler.ts';

type LogoutDeps = Pick<PanelContext, 'store' | 'identityProviders' | 'now'>;

/** Enough for the claims of a logout token, and for long keys. */
const maxTokenLength = 16_384;

/** Used tokens are remembered for longer than one is accepted, in seconds. */
const tokenMemory = 3_600;

const noStore = { 'Cache-Control': 'no-store' };
const type = 'application/json; charset=utf-8';

const done: PageResponse = { http: 200, type, body: '{}', headers: noStore };

/** As section 2.8 says. */
const refusal = (description: string): PageResponse => ({
  http: 400,
  type,
  body: JSON.stringify({ error: 'invalid_request', error_description: description }),
  headers: noStore,
});

const unavailable = (http: 429 | 503, seconds: number): PageResponse => ({
  http,
  type,
  body: JSON.stringify({ error: 'temporarily_unavailable' }),
  headers: { ...noStore, 'Retry-After': String(seconds) },
});

const unusable = refusal('The request is not a logout token for this address.');

/** The only token of the form; undefined for anything else. */
function tokenOf({ headers, body }: PageRequest): string | undefined {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '');
  const given = new URLSearchParams(isForm ? body?.toString('utf8') : '').getAll('logout_token');
  const [token = ''] = given;
  return given.length === 1 && token !== '' && token.length <= maxTokenLength ? token : undefined;
}

/** Writes the line of a request that was refused before it changed anything. */
async function noteRefusal(
  { store }: LogoutDeps,
  provider: ProviderConnection,
  { address }: PageRequest,
  { outcome, reason }: { outcome: string; reason: string },
): Promise<PageResponse> {
  const input = { id: provider.id, name: provider.name, reason };
  const line = providerAuditLine(provider, 'sso/logout', { address, input, person: undefined });
  await store.change('audit/append', { accountId: provider.accountId, outcome }, line);
  return refusal(`The logout token is not valid (${reason}).`);
}

async function apply(
  { store, now }: LogoutDeps,
  provider: ProviderConnection,
  { address }: PageRequest,
  logout: ProviderLogout,
): Promise<PageResponse> {
  const { accountId, id, name } = provider;
  const { subject, sid } = logout;
  const person = subject === undefined ? undefined : await store.providers.holder(provider, subject);
  const ended = await store.change(
    'providers/logout',
    { accountId, id, logout, rememberUntil: now() + tokenMemory },
    providerAuditLine(provider, 'sso/logout', { address, input: { id, name, subject, sid }, person }),
  );
  return isFault(ended) ? refusal(ended.message ?? '') : done;
}

async function answer(deps: LogoutDeps, request: PageRequest): Promise<PageResponse> {
  const name = normalizeSignInName(request.params['name'] ?? '');
  const provider = await deps.store.providers.bySignInName(name);
  const token = tokenOf(request);
  if (!provider || token === undefined) return unusable;
  const read = await deps.identityProviders.readLogout(provider, token);
  if ('logout' in read) return apply(deps, provider, request, read.logout);
  return 'problem' in read
    ? noteRefusal(deps, provider, request, { outcome: 'sso_trouble', reason: read.problem })
    : noteRefusal(deps, provider, request, { outcome: 'sso_logout_invalid', reason: read.refused });
}

export function backChannelLogoutRoute(deps: LogoutDeps): Route {
  // Only failures count: each can cause requests to a provider, and leaves a line in the audit log.
  const failures = createRateLimiter({ perSecond: 0.2, burst: 50 });
  return {
    method: 'POST',
    path: ssoLogoutPath(':name'),
    async handle(request) {
      const network = networkOf(request.address);
      if (!failures.allow(network)) return unavailable(429, 60);
      try {
        const answered = await answer(deps, request);
        if (answered === done) failures.refund(network);
        return answered;
      } catch (error) {
        if (isOutage(error)) return unavailable(503, 5);
        throw error;
      }
    },
  };
}
