/** Which sites may show a page in a frame, and how the page is guarded there against clicks that the visitor did not intend. */
import type { PageRequest, PageResponse, Route } from '../http/route.ts';

const forbidden = "frame-ancestors 'none'";

/** Lets the origins show the pages of these routes in a frame. Without origins nothing changes. */
export const allowFraming = (routes: readonly Route[], origins: readonly string[]): Route[] =>
  routes.map((route) =>
    origins.length === 0
      ? route
      : { ...route, handle: async (request) => withAncestors(await route.handle(request), origins) },
  );

function withAncestors(response: PageResponse, origins: readonly string[]): PageResponse {
  const policy = response.headers?.['Content-Security-Policy'];
  if (policy === undefined) return response;
  return {
    ...response,
    headers: {
      ...response.headers,
      'Content-Security-Policy': policy.replace(forbidden, `frame-ancestors ${origins.join(' ')}`),
    },
  };
}

/** False only if the browser says that the page is shown in a tab of its own. */
export const mayBeFramed = ({ headers }: PageRequest): boolean => headers['sec-fetch-dest'] !== 'document';
