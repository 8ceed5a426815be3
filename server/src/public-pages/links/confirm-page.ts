/** A page with a button for links that work once: only a press uses the link up, because link scanners open pages too. */
import type { SingleUseLink } from '../../domain/sessions/links.ts';
import type { PageRequest, PageResponse, Route } from '../../http/route.ts';
import type { Store } from '../../store/store.ts';
import { mayBeFramed } from '../framing.ts';
import { invalidLinkPage, linkPage } from './link-page.ts';
import { subjectOf } from './link-subject.ts';

export interface ConfirmedLink {
  path: string;
  /** What the link would open for this visitor; undefined if it is not valid now. */
  preview(request: PageRequest): Promise<SingleUseLink | undefined>;
  says: readonly string[];
  confirm(request: PageRequest): Promise<PageResponse>;
}

/** `isFramable`: whether any site may show the page in a frame. */
export function confirmRoutes(
  { path, preview, says, confirm }: ConfirmedLink,
  store: Store,
  isFramable: boolean,
): Route[] {
  return [
    {
      method: 'GET',
      path,
      async handle(request) {
        const link = await preview(request);
        if (!link) return invalidLinkPage;
        const { name, owner, brand, record } = await subjectOf(store, link);
        const action = path.replace(/:(\w+)/, (_, key: string) => request.params[key] ?? '');
        return linkPage({
          title: `Connect to ${name}`,
          brand,
          says: [
            ...(owner === '' ? [] : [`You connect with the rights of ${owner}.`]),
            record ? 'The session is recorded.' : 'The session is not recorded.',
            ...says,
          ],
          form: { action, button: 'Connect', isConsent: true },
          guarded: isFramable && mayBeFramed(request),
          // With the policy no-referrer, browsers would also send no origin with the form.
          headers: { 'Referrer-Policy': 'same-origin' },
        });
      },
    },
    { method: 'POST', path, handle: confirm },
  ];
}
