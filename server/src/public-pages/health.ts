/** The health checks: whether the process runs, and whether it accepts requests. */
import { textResponse, type Route } from '../http/route.ts';

/** `ready` returns false from the moment the server begins to stop. The response names the roles of a process that has not all. */
export const healthRoutes = (ready: () => Promise<boolean>, roles: readonly string[] = []): Route[] => [
  { method: 'GET', path: '/healthz', handle: async () => textResponse(200, 'ok\n') },
  {
    method: 'GET',
    path: '/readyz',
    handle: async () =>
      (await ready())
        ? textResponse(200, `ready${roles.length > 0 ? `: ${roles.join(', ')}` : ''}\n`)
        : textResponse(503, 'not ready\n'),
  },
];
