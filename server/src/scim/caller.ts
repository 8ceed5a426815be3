/** Who calls: an identity provider with a token that acts with the rights of the person who created it. */
import type { Fault } from '@drawbridge/contract/faults';
import type { ProvisioningEvent } from '@drawbridge/contract/audited-events';
import { provisioningAuditLine } from '../domain/audit.ts';
import { networkOf } from '../domain/networks.ts';
import { isExpired } from '../domain/people/members.ts';
import { creatorProblemTexts, findCreatorProblem } from '../domain/scim/token.ts';
import { createRateLimiter } from '../edges/rate-limiter.ts';
import type { PageRequest, PageResponse } from '../http/route.ts';
import type { ChangeInput, ChangeOutput } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import { bearerOf } from './request.ts';
import { scimError } from './responses.ts';

export interface ScimDeps {
  store: Pick<Store, 'provisioning' | 'change' | 'now'>;
  digestOf(secret: string): string;
  publicUrl: string;
  /** Lets other requests run during long work. */
  yieldToEventLoop(): Promise<void>;
  /** Called with exceptions: they are bugs, not refusals. */
  onBug(operation: string, error: unknown): void;
}

type ProvisioningChange = `scim/${'user' | 'group'}-${'create' | 'update' | 'remove'}`;

/** An identity provider whose token is valid. */
export interface ScimCaller {
  accountId: number;
  tokenId: number;
  /** Runs a change together with its line in the audit log. */
  change<Name extends ProvisioningChange>(
    name: Name,
    input: Omit<ChangeInput<Name>, 'accountId' | 'tokenId'>,
    line: { event: ProvisioningEvent; input: object },
  ): Promise<ChangeOutput<Name>>;
  /** Writes the line of a request that was refused before it changed anything. */
  noteRefusal(event: ProvisioningEvent, input: object, refusal: Fault): Promise<void>;
}

const unauthenticated = scimError(401, 'The token is missing, unknown, expired or removed.', {
  headers: { 'WWW-Authenticate': 'Bearer realm="Drawbridge"' },
});
const busy = scimError(429, 'There were too many requests. Wait a minute, then try again.', {
  headers: { 'Retry-After': '60' },
});

/** How often the last use of a token is stored, in seconds. */
const noteUseEvery = 60;

export function createAuthenticator(deps: ScimDeps) {
  const { store, digestOf } = deps;
  const failures = createRateLimiter({ perSecond: 0.2, burst: 50 });
  // Entra ID asks for at least 25 requests per second.
  const requests = createRateLimiter({ perSecond: 50, burst: 500 });

  return async (request: PageRequest): Promise<ScimCaller | { refused: PageResponse }> => {
    const network = networkOf(request.address);
    if (!failures.allow(network)) return { refused: busy };
    const token = await store.provisioning.byToken(digestOf(bearerOf(request)));
    if (!token || isExpired(token, store.now())) return { refused: unauthenticated };
    failures.refund(network); // only failures count
    if (!requests.allow(String(token.id))) return { refused: busy };
    const { accountId, id } = token;
    if (store.now() - (token.lastUsedTime ?? 0) >= noteUseEvery)
      await store.change('scim/token-used', { accountId, id });
    const problem = findCreatorProblem(token.actor);
    if (problem) return { refused: scimError(403, creatorProblemTexts[problem]) };
    return toCaller(deps, token, request.address);
  };
}

function toCaller(
  { store }: ScimDeps,
  token: { id: number; accountId: number; name: string },
  address: string,
): ScimCaller {
  const { id: tokenId, accountId } = token;
  return {
    accountId,
    tokenId,
    change: (name, input, { event, input: shown }) =>
      store.change(
        name,
        { accountId, tokenId, ...input } as ChangeInput<typeof name>,
        provisioningAuditLine(token, event, { address, input: shown }),
      ),
    async noteRefusal(event, input, refusal) {
      const outcome = refusal.code ?? refusal.fault;
      const line = provisioningAuditLine(token, event, { address, input });
      await store.change('audit/append', { accountId, outcome }, line);
    },
  };
}
