/** A link that works once: its page shows a button, and only pressing it uses the link up. Scanners look and press nothing. */
import type { PageRequest, PageResponse, Route } from '../http/route.ts';
import { invalidLinkPage, linkPage } from './link-page.ts';

export interface ConfirmedLink<Found> {
  path: string;
  /** What the link stands for, if it opens now. */
  find(request: PageRequest, method: Route['method']): Promise<Found | undefined>;
  /** True for those of whom it is not known yet whether the link opens for them: they see the button in any case. */
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
        // Without a referrer browsers do not say either that the form is one of ours.
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
