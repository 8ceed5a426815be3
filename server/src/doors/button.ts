/** A link that works once: its page shows a button, and only pressing it uses the link up. Scanners look and press nothing. */
import type { PageResponse } from '../http/pages.ts';
import type { Door, Knock } from './door.ts';
import { deadLink, linkPage } from './page.ts';

export interface ButtonLink<Found> {
  path: string;
  /** What the link stands for, if it opens now. */
  find(knock: Knock, method: Door['method']): Promise<Found | undefined>;
  /** True for those of whom it is not known yet whether the link opens for them: they see the button in any case. */
  isUnsure?(knock: Knock): boolean;
  title: string;
  says: readonly string[];
  press(found: Found, knock: Knock): Promise<PageResponse>;
}

export function buttonDoors<Found>(link: ButtonLink<Found>): Door[] {
  const { path, find, isUnsure, title, says, press } = link;
  return [
    {
      method: 'GET',
      path,
      async open(knock) {
        if (!isUnsure?.(knock) && (await find(knock, 'GET')) === undefined) return deadLink;
        const action = path.replace(/:(\w+)/, (_, name: string) => knock.params[name] ?? '');
        // Without a referrer browsers do not say either that the form is one of ours.
        const headers = { 'Referrer-Policy': 'same-origin' };
        return linkPage({ title, says, form: { action, button: 'Connect' }, headers });
      },
    },
    {
      method: 'POST',
      path,
      async open(knock) {
        const found = await find(knock, 'POST');
        return found === undefined ? deadLink : press(found, knock);
      },
    },
  ];
}
