/** Serves the panel: the same page at each of its URLs. The page reads its URL to decide what to show. */
import { errorResponse, type PageResponse, type Route } from '../http/route.ts';
import { webAppCsp, type WebApp } from './web-app.ts';

const paths = ['/', '/panel', '/panel/*', '/sign-in', '/sign-in/:token', '/invite/:token'] as const;

const unknownUrl = errorResponse(404, {
  code: 'unknown_url',
  message: 'There is nothing at this address, or not with this method.',
});

/** URLs below /panel/api are operations: an unknown one gets a 404 and not the page. */
const isApi = (rest: string | undefined): boolean => rest === 'api' || rest?.startsWith('api/') === true;

/** Of all pages only the panel can be installed. */
const policy = `${webAppCsp()}; manifest-src 'self'`;

export function panelPageRoutes(app: WebApp): Route[] {
  const page = (): Promise<PageResponse> => app.page('panel.html', policy);
  return paths.map((path) => ({
    method: 'GET',
    path,
    handle: async ({ params }) => (isApi(params['*']) ? unknownUrl : page()),
  }));
}
