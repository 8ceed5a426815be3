/** A page with a button for links that work once: only a press uses the link up, because link scanners open pages too. */
import type { PageRequest, PageResponse, Route } from '../../http/route.ts';
import { invalidLinkPage, linkPage } from './link-page.ts';

export interface ConfirmedLink<Found> {
  path: string;
  /** Returns what the link stands for, if the link is valid now. */
  find(request: PageRequest, method: Route['method']): Promise<Found | undefined>;
  /** Returns true if it is not yet known whether the link is valid for this visitor: they see the button in any case. */
  isUndecided?(request: PageRequest): boolean;
  title: string;
  says: readonly string[];
  confirm(found: Found, request: PageRequest): Promise<PageResponse>;
}

export function confirmRoutes<Found>(link: ConfirmedLink<Found>): Route[] {
  const { path, find, isUndecided, title, says, confirm } = link;
  return [
    {
      method: 'GET',
      path,
      async handle(request) {
        if (!isUndecided?.(request) && (await find(request, 'GET')) === undefined) return invalidLinkPage;
        const action = path.replace(/:(\w+)/, (_, name: string) => request.params[name] ?? '');
        // With the policy no-referrer, browsers would also send no origin with the form.
        const headers = { 'Referrer-Policy': 'same-origin' };
        return linkPage({ title, says, form: { action, button: 'Connect' }, headers });
      },
    },
    {
      method: 'POST',
      path,
      async handle(request) {
        const found = await find(request, 'POST');
        return found === undefined ? invalidLinkPage : confirm(found, request);
      },
    },
  ];
}
