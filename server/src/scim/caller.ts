/** Who calls: an identity provider with a token that acts with the rights of the person who created it. */
import type { Fault } from '@drawbridge/contract/faults';
import type { ProvisioningEvent } from '@drawbridge/contract/audited-events';
import { provisioningAuditLine } from '../domain/audit.ts';
import { networkOf } from '../domain/networks.ts';
import { isExpired } from '../domain/people/members.ts';
import { creatorProblemTexts, findCreatorProblem } from '../domain/scim/token.ts';
import { createRateLimiter, type RateLimiter } from '../edges/rate-limiter.ts';
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
  /** Writes that something was read that is not in the account, once a minute: identity providers ask again and again. */
  noteMissing(event: 'scim/user-read' | 'scim/group-read', id: string): Promise<void>;
}

const unauthenticated = scimError(401, 'The token is missing, unknown, expired or removed.', {
  headers: { 'WWW-Authenticate': 'Bearer realm="Drawbridge"' },
});
const busy = scimError(429, 'There were too many requests. Wait a minute, then try again.', {
  headers: { 'Retry-After': '60' },
});

/** How often the last use of a token is stored, in seconds. */
const noteUseEvery = 60;

/** Identity providers try again and again: of a token that gives nothing any more, one use a minute is in the audit log. */
const refusedUses = { perSecond: 1 / 60, burst: 1 };

/**
 * What wrong tokens of one network may cost: nobody guesses one. Entra ID sends the requests of all its customers from the
 * same networks, so tokens that were valid before are looked up beyond this limit, too.
 */
const wrongTokens = { perSecond: 5, burst: 50 };
const maxKnownTokens = 10_000;

interface StoredToken {
  id: number;
  accountId: number;
  name: string;
}

/** The tokens that were valid, by digest: those of the last requests, if they are many. */
function createKnownTokens() {
  const tokens = new Map<string, StoredToken>();
  return {
    get: (digest: string) => tokens.get(digest),
    remember(digest: string, { id, accountId, name }: StoredToken): void {
      tokens.delete(digest);
      tokens.set(digest, { id, accountId, name });
      if (tokens.size > maxKnownTokens) tokens.delete(tokens.keys().next().value!);
    },
  };
}

/** Finds the token of a request, within the limits of its network. */
function createTokenFinder({ store, digestOf }: ScimDeps, noteRefused: NoteRefused) {
  const failures = createRateLimiter(wrongTokens);
  const known = createKnownTokens();
  return async (request: PageRequest): Promise<{ token: FoundToken } | { refused: PageResponse }> => {
    const network = networkOf(request.address);
    const digest = digestOf(bearerOf(request));
    const before = known.get(digest);
    // Taken before the token is looked up, so that requests at the same time count, too.
    const isWithinLimit = failures.allow(network);
    if (!isWithinLimit && !before) return { refused: busy };
    const token = await store.provisioning.byToken(digest);
    const outcome = token ? (isExpired(token, store.now()) ? 'expired' : undefined) : 'removed';
    if (token && outcome === undefined) {
      if (isWithinLimit) failures.refund(network);
      known.remember(digest, token);
      return { token };
    }
    const of = token ?? before; // a token that never was known belongs to no account
    if (of) await noteRefused(of, request, outcome!);
    return { refused: unauthenticated };
  };
}

type FoundToken = NonNullable<Awaited<ReturnType<Store['provisioning']['byToken']>>>;
type NoteRefused = (token: StoredToken, request: PageRequest, outcome: string) => Promise<void>;

export function createAuthenticator(deps: ScimDeps) {
  const { store } = deps;
  // Entra ID asks for at least 25 requests per second.
  const requests = createRateLimiter({ perSecond: 50, burst: 500 });
  const [noted, notedReads] = [createRateLimiter(refusedUses), createRateLimiter(refusedUses)];
  const noteRefused: NoteRefused = async (token, { address }, outcome) => {
    if (!noted.allow(String(token.id))) return;
    const line = provisioningAuditLine(token, 'scim/token-use', { address, input: {} });
    await store.change('audit/append', { accountId: token.accountId, outcome }, line);
  };
  const findToken = createTokenFinder(deps, noteRefused);

  return async (request: PageRequest): Promise<ScimCaller | { refused: PageResponse }> => {
    const found = await findToken(request);
    if ('refused' in found) return found;
    const { token } = found;
    if (!requests.allow(String(token.id))) return { refused: busy };
    const { accountId, id } = token;
    if (store.now() - (token.lastUsedTime ?? 0) >= noteUseEvery)
      await store.change('scim/token-used', { accountId, id });
    const problem = findCreatorProblem(token.actor);
    if (problem) {
      await noteRefused(token, request, problem);
      return { refused: scimError(403, creatorProblemTexts[problem]) };
    }
    return toCaller(deps, token, { address: request.address, notedReads });
  };
}

function toCaller(
  { store }: ScimDeps,
  token: StoredToken,
  { address, notedReads }: { address: string; notedReads: RateLimiter },
): ScimCaller {
  const { id: tokenId, accountId } = token;
  const note = async (event: ProvisioningEvent, input: object, outcome: string): Promise<void> => {
    const line = provisioningAuditLine(token, event, { address, input });
    await store.change('audit/append', { accountId, outcome }, line);
  };
  return {
    accountId,
    tokenId,
    change: (name, input, { event, input: shown }) =>
      store.change(
        name,
        { accountId, tokenId, ...input } as ChangeInput<typeof name>,
        provisioningAuditLine(token, event, { address, input: shown }),
      ),
    noteRefusal: (event, input, refusal) => note(event, input, refusal.code ?? refusal.fault),
    async noteMissing(event, id) {
      if (notedReads.allow(String(tokenId))) await note(event, { id: id.slice(0, 100) }, 'not_found');
    },
  };
}
