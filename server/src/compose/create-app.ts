/** Composes everything that answers requests: operations, panel, pages and links. */
import type { RequestListener } from 'node:http';
import { logRequest } from './access-log.ts';
import { serverRoles } from '../config/server-roles.ts';
import { isHttpsOrigin } from '../config/values.ts';
import { brandRoutes, createLogoFinder } from '../public-pages/brand-logo.ts';
import { docsRoutes } from '../public-pages/docs.ts';
import { healthRoutes } from '../public-pages/health.ts';
import { manifestRoutes } from '../public-pages/manifest.ts';
import { pageRoutes } from '../public-pages/page.ts';
import { downloadRoutes } from '../public-pages/downloads/downloads.ts';
import { onetimeRoutes } from '../public-pages/links/onetime-link.ts';
import { allowFraming } from '../public-pages/framing.ts';
import { connectAgainRoutes } from '../public-pages/links/connect-again.ts';
import { operatorRoutes, type FindSignedIn } from '../public-pages/links/operator-link.ts';
import { permanentRoutes } from '../public-pages/links/permanent-link.ts';
import { previewRoutes } from '../public-pages/preview.ts';
import { createHandlerContext, createPanelContext, type ServerDeps } from './handler-context.ts';
import type { HandlerContext } from '../handlers/handler.ts';
import type { PanelContext } from '../panel/handler.ts';
import type { Route } from '../http/route.ts';
import { createBodyLimiter, bodyLimitsFor } from '../http/content/body-limiter.ts';
import { serve } from '../http/serve.ts';
import { createKeptAnswers } from '../http/operations/kept-answers.ts';
import { apiTable } from '../http/operations/served-table.ts';
import type { LegacyForm } from '../http/operations/legacy.ts';
import type { KeyUses } from '../jobs/key-uses.ts';
import type { Log } from '../edges/log.ts';
import type { Metrics } from '../edges/metrics.ts';
import type { Tracer } from '../edges/telemetry/tracer.ts';
import { eventStreamRoute } from '../panel/live/event-route.ts';
import type { PanelEvents } from '../panel/live/events.ts';
import { backChannelLogoutRoute } from '../panel/sign-in/back-channel-logout.ts';
import { signedInActor } from '../panel/sign-in/guard.ts';
import { panelTables } from '../panel/tables.ts';
import type { ScimDeps } from '../scim/caller.ts';
import { scimRoutes } from '../scim/routes.ts';
import { fakeVerify, verifyPassword } from '../edges/passwords.ts';
import { requireNetworks } from './listeners.ts';
import { createReadiness } from './readiness.ts';
import { endRequest, traceRequests } from './telemetry.ts';
import type { ComposedSessions } from './compose-sessions.ts';

interface AppDeps extends ServerDeps {
  keyPin(): string;
  renewalFailure: PanelContext['renewalFailure'];
  keyUses: KeyUses;
  metrics: Metrics;
  tracer: Tracer | undefined;
  log: Log;
  lifecycle: { draining: boolean };
  sessions: ComposedSessions;
  events: PanelEvents;
  rangeOf: LegacyForm['rangeOf'];
}

/** Returns the listener for all requests. */
export function createApp(deps: AppDeps): RequestListener {
  const { store, keyUses, metrics, tracer, log } = deps;
  const config = deps.config();
  const context = createHandlerContext(deps);
  const onBug = (operation: string, error: unknown): void =>
    log.error({ operation, err: error }, 'a request failed');
  const panelContext = createPanelContext(context, { ...deps, onBug });
  warnOfOpenOrigins(config.corsOrigins, log);
  const onRequest = serve({
    tables: config.roles.includes('api') ? [apiTable(context), ...panelTables(panelContext)] : [],
    store,
    trustedProxies: requireNetworks(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    legacy: config.legacyApi ? { rangeOf: deps.rangeOf } : undefined,
    routes: createRoutes(deps, context, panelContext),
    bodyLimiter: createBodyLimiter(bodyLimitsFor(config.connectionsPerAddress)),
    keptAnswers: createKeptAnswers(),
    onKeyUsed: keyUses.note,
    onBug,
    onAnswer: (completed) => {
      logRequest(completed, log, metrics);
      if (tracer) endRequest(tracer, completed);
    },
  });
  return tracer ? traceRequests(tracer, onRequest) : onRequest;
}

/** Such origins are for existing integrations only; the panel and all other pages never allow them. */
function warnOfOpenOrigins(corsOrigins: readonly string[], log: Log): void {
  const origins = corsOrigins.filter((origin) => !isHttpsOrigin(origin));
  if (origins.length > 0)
    log.warn(
      { origins },
      'DRAWBRIDGE_CORS_ORIGINS lets every website (*), or pages that are sent without encryption (http), call the API from a browser; name https origins instead',
    );
}

/** The port is known only once it is open. */
const createScimDeps = ({ store, log }: AppDeps, context: HandlerContext): ScimDeps => ({
  store,
  digestOf: context.digestOf,
  get publicUrl() {
    return context.publicUrl;
  },
  yieldToEventLoop: context.yieldToEventLoop,
  onBug: (operation, error) => log.error({ operation, err: error }, 'a request failed'),
});

function createRoutes(deps: AppDeps, context: HandlerContext, panelContext: PanelContext): Route[] {
  const { store, keyPin, lifecycle, sessions, events, shareLimiter } = deps;
  const scimDeps = createScimDeps(deps, context);
  const { frameOrigins } = deps.config();
  const isFramable = frameOrigins.length > 0;
  const findSignedIn: FindSignedIn = (method, headers) => signedInActor(method, headers, panelContext);
  const findLogo = createLogoFinder(store, deps.pictures);
  const isReady = createReadiness(store);
  const ready = async (): Promise<boolean> => !lifecycle.draining && (await isReady());
  const { roles } = deps.config();
  if (!roles.includes('api')) return healthRoutes(ready, roles);
  return [
    ...healthRoutes(ready, roles.length < serverRoles.length ? roles : []),
    ...pageRoutes,
    ...brandRoutes(findLogo),
    ...manifestRoutes({ brands: store.brands, findLogo, findSignedIn }),
    ...docsRoutes(),
    ...downloadRoutes({
      currentRelease: deps.releases.current,
      server: () => ({ publicUrl: context.publicUrl, keyPin: keyPin() }),
    }),
    ...allowFraming(
      [
        ...permanentRoutes(context, store, { verifyPassword, fakeVerify, isFramable, shareLimiter }),
        ...onetimeRoutes(context, store, isFramable),
        ...operatorRoutes({ context, store, findSignedIn, isFramable }),
      ],
      frameOrigins,
    ),
    ...connectAgainRoutes({ context, store, findSignedIn }),
    ...previewRoutes(context, sessions.clientPicture),
    ...sessions.routes,
    ...scimRoutes(scimDeps),
    backChannelLogoutRoute(panelContext),
    eventStreamRoute(panelContext, events),
  ];
}
