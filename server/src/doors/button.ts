/** A link that works once: its page shows a button, and only pressing it uses the link up. Scanners look and press nothing. */
import type { Page } from '../http/pages.ts';
import type { Door, Knock } from './door.ts';
import { deadLink, linkPage } from './page.ts';

export interface ButtonLink<Found> {
  path: string;
  /** What the link stands for, if it opens now. */
  find(knock: Knock): Promise<Found | undefined>;
  title: string;
  says: readonly string[];
  press(found: Found, knock: Knock): Promise<Page>;
}

export const buttonDoors = <Found>({ path, find, title, says, press }: ButtonLink<Found>): Door[] => [
  {
    method: 'GET',
    path,
    async open(knock) {
      if ((await find(knock)) === undefined) return deadLink;
      const action = path.replace(/:(\w+)/, (_, name: string) => knock.params[name] ?? '');
      return linkPage({
        title,
        says: [...says, 'This link opens once.'],
        form: { action, button: 'Connect' },
      });
    },
  },
  {
    method: 'POST',
    path,
    async open(knock) {
      const found = await find(knock);
      return found === undefined ? deadLink : press(found, knock);
    },
  },
];
