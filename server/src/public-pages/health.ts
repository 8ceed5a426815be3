/** The health checks: whether the process runs, and whether it accepts requests. */
import { textResponse, type Route } from '../http/route.ts';

/** `ready` returns false from the moment the server begins to stop. */
export const healthRoutes = (ready: () => Promise<boolean>): Route[] => [
  { method: 'GET', path: '/healthz', handle: async () => textResponse(200, 'ok\n') },
  {
    method: 'GET',
    path: '/readyz',
    handle: async () => ((await ready()) ? textResponse(200, 'ready\n') : textResponse(503, 'not ready\n')),
  },
];
