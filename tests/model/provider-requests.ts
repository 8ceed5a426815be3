/** What identity providers do: requests of SCIM and sign-ins, through every check that those pass, without HTTP. */
import type { Database } from 'better-sqlite3';
import { isFault } from '@drawbridge/contract/faults';
import { scimPrefix } from '@drawbridge/server/domain/scim/attributes';
import { digestOf } from '@drawbridge/server/edges/random';
import type { HandlerContext } from '@drawbridge/server/handlers/handler';
import { createDispatcher, type DispatchDeps } from '@drawbridge/server/http/operations/dispatch';
import { servedRoutes } from '@drawbridge/server/http/operations/served-table';
import type { PanelContext } from '@drawbridge/server/panel/handler';
import { ssoCookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { createSignInLimits } from '@drawbridge/server/panel/sign-in/sign-in-limits';
import { panelTables } from '@drawbridge/server/panel/tables';
import { scimRoutes } from '@drawbridge/server/scim/routes';
import type { Store } from '@drawbridge/server/store/store';
import { toResponse } from './model-provider.ts';

/** A PATCH of SCIM. */
interface PatchRequest {
  token: string;
  path: '/Users/:id' | '/Groups/:id';
  id: number;
  operation: object;
}

interface SignInRequest {
  providerName: string;
  email: string;
  groups: readonly string[];
}

export interface ProviderRequests {
  /** How the request ended, as the audit log of the account says. */
  patch(accountId: number, request: PatchRequest): Promise<string>;
  /** How the sign-in ended, and who is signed in. */
  signIn(request: SignInRequest): Promise<{ ended: string; email?: string | undefined }>;
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The routes are created for each request: their limits count seconds, and time stands still here. */
function patchWith(
  context: HandlerContext,
  store: Store,
  deps: DispatchDeps,
  { token, path, id, operation }: PatchRequest,
) {
  const { publicUrl, yieldToEventLoop } = context;
  const { onBug } = deps;
  const routes = scimRoutes({ store, digestOf, publicUrl, yieldToEventLoop, onBug });
  const route = routes.find((each) => each.method === 'PATCH' && each.path === scimPrefix + path)!;
  const body = Buffer.from(JSON.stringify({ Operations: [operation] }));
  return route.handle({
    params: { id: String(id) },
    query: '',
    address: '127.0.0.1',
    headers: { authorization: `Bearer ${token}` },
    body: undefined,
    incoming: { bytes: once(body), length: body.length },
  });
}

const signInRows = ['sign-in/sso/begin', 'sign-in/sso'] as const;

/** The two requests of the panel with which a browser signs in. */
function createSignIns(context: HandlerContext, store: Store, deps: DispatchDeps) {
  let minutes = 0;
  // A minute passes before each guess, so that limits refuse nobody here.
  const tries = createSignInLimits(undefined, () => (minutes += 1) * 60_000);
  const served = servedRoutes(panelTables({ ...context, store, tries } as unknown as PanelContext)[0]!);
  const dispatch = new Map(
    served.flatMap((each) =>
      signInRows.some((id) => id === each.id) ? [[each.id, createDispatcher(each, deps)]] : [],
    ),
  );
  const { origin } = new URL(context.publicUrl);
  return async (id: (typeof signInRows)[number], input: object, ssoCookie = ''): Promise<object> => {
    const headers = { origin, cookie: `${ssoCookieName}=${ssoCookie}` };
    const from = { method: 'POST', connection: {}, legacy: false, address: '127.0.0.1', query: '' };
    const body = Buffer.from(JSON.stringify(input));
    return (await dispatch.get(id)!({ ...from, headers, apiKey: undefined, body })).result;
  };
}

export function createProviderRequests(
  database: Database,
  context: HandlerContext,
  deps: DispatchDeps,
): ProviderRequests {
  const { store } = deps;
  const call = createSignIns(context, store, deps);
  const lastOutcome = database
    .prepare<[number], string>('select outcome from audit where account_id = ? order by seq desc limit 1')
    .pluck();
  return {
    async patch(accountId, request) {
      const { http } = await patchWith(context, store, deps, request);
      if (http < 300) return 'done';
      // Of a token that is unknown, no account has a line.
      return http === 401 ? 'unauthenticated' : lastOutcome.get(accountId)!;
    },

    async signIn({ providerName: name, email, groups }) {
      const begun = await call('sign-in/sso/begin', { name });
      if (isFault(begun)) return { ended: begun.code ?? begun.fault };
      const { url, ssoCookie } = begun as { url: string; ssoCookie: string };
      const result = await call('sign-in/sso', { name, response: toResponse(url, email, groups) }, ssoCookie);
      if (isFault(result)) return { ended: result.code ?? result.fault };
      const { cookie } = result as { cookie?: { token: string } };
      const holder = cookie && (await store.actors.bySession(digestOf(cookie.token)));
      return { ended: 'done', email: holder?.actor.email };
    },
  };
}
