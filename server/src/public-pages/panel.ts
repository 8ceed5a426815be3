/** The pages of the panel: one page under every address of it. It decides by its address what to show, and looking uses nothing up. */
import { errorResponse, type PageResponse, type Route } from '../http/route.ts';
import { webAppCsp, type WebApp } from './web-app.ts';

/** Addresses under which the page is opened. */
const paths = ['/', '/panel', '/panel/*', '/sign-in', '/sign-in/:token', '/invite/:token'] as const;

const unknownUrl = errorResponse(404, {
  code: 'unknown_url',
  message: 'There is nothing at this address, or not with this method.',
});

/** Below it are operations: what is none of them is no page either. */
const isApi = (rest: string | undefined): boolean => rest === 'api' || rest?.startsWith('api/') === true;

export function panelPageRoutes(app: WebApp): Route[] {
  const page = (): Promise<PageResponse> => app.page('panel.html', webAppCsp());
  return paths.map((path) => ({
    method: 'GET',
    path,
    handle: async ({ params }) => (isApi(params['*']) ? unknownUrl : page()),
  }));
}
