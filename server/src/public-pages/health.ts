/** The routes for monitors: whether the process runs, and whether it takes requests. */
import { textResponse, type Route } from '../http/route.ts';

/** `ready` is true while the service takes requests: false from the moment it is told to stop. */
export const healthRoutes = (ready: () => Promise<boolean>): Route[] => [
  { method: 'GET', path: '/healthz', handle: async () => textResponse(200, 'ok\n') },
  {
    method: 'GET',
    path: '/readyz',
    handle: async () => ((await ready()) ? textResponse(200, 'ready\n') : textResponse(503, 'not ready\n')),
  },
];
