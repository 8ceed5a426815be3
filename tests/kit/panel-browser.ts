/** The panel in a real browser, used as a person does: by what stands on buttons, links and fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chance, digestOf } from '@drawbridge/server/chance';
import { must, type Person, type TestAccount } from './account.ts';
import type { Browser } from './browser.ts';
import type { BrowserPage } from './browser-page.ts';
import type { TestHouse } from './house.ts';

export interface PanelPage extends BrowserPage {
  /** Opens a page of the server and waits until it shows something. */
  visit(path: string): Promise<void>;
  /** Presses the button, link or menu item that says this. */
  press(says: string): Promise<void>;
  /** Writes into the field with this label, in place of what is there. */
  fill(label: string, text: string): Promise<void>;
  /** Chooses in the list with this label. */
  choose(label: string, option: string): Promise<void>;
  /** Waits until the page says this. */
  reads(text: string): Promise<void>;
  /** All that the page says now. */
  text(): Promise<string>;
}

const quoted = (text: string): string => JSON.stringify(text);

/** What can be pressed and says this in its first line or, where it has no words, by its name. */
const pressable = (says: string): string => `[...document.querySelectorAll(
  'dialog[open] button, dialog[open] a, [popover]:popover-open button, button, a, summary, label')].find((each) =>
  (each.innerText.trim().split('\\n')[0] === ${quoted(says)} || each.getAttribute('aria-label') === ${quoted(says)}) &&
  each.checkVisibility() && !each.disabled && (!document.querySelector('dialog[open]') || each.closest('dialog[open]')))`;

const labelled = (label: string): string => `(() => {
  const found = [...document.querySelectorAll('label')].findLast((each) => each.innerText.trim() === ${quoted(label)});
  return found?.control ?? document.querySelector('[aria-label=' + ${quoted(quoted(label))} + ']');
})()`;

/** Until nothing loads any more, and nothing fades. */
const settled = `document.querySelector('h1, h2, form') &&
  !document.querySelector('.state .spinner, [aria-busy="true"]') &&
  !document.getAnimations().some((each) => each instanceof CSSTransition)`;

/** A new page; beside another, it is a tab of the same browser and knows its cookies. */
export async function openPanelPage(
  browser: Browser,
  baseUrl: string,
  beside?: BrowserPage,
): Promise<PanelPage> {
  const page = await browser.page(beside);
  const reads = (text: string): Promise<void> =>
    page.until(`document.body.innerText.includes(${quoted(text)})`);
  return Object.assign(page, {
    reads,
    text: () => page.evaluate<string>('document.body.innerText'),
    async visit(path: string) {
      await page.goto(new URL(path, baseUrl).href);
      await page.until(settled).catch((error: unknown) => {
        throw new Error(`${path} goes on loading`, { cause: error });
      });
    },
    async press(says: string) {
      await page.until(pressable(says));
      await page.evaluate(`${pressable(says)}.click()`);
    },
    async fill(label: string, text: string) {
      await page.until(labelled(label));
      // A dialog that is just opening takes the focus away once.
      do {
        await page.evaluate(`${labelled(label)}.focus(), ${labelled(label)}.select()`);
        await page.send('Input.insertText', { text });
      } while ((await page.evaluate(`${labelled(label)}.value`)) !== text);
    },
    async choose(label: string, option: string) {
      await page.until(labelled(label));
      await page.evaluate(`(() => {
        const list = ${labelled(label)};
        list.value = [...list.options].find((each) => each.text.trim() === ${quoted(option)}).value;
        list.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    },
  });
}

/** Lets the browser be signed in as this person, without a detour. */
export async function signInAs(
  page: BrowserPage,
  { server }: Pick<TestHouse, 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<Person, 'id'>,
): Promise<void> {
  const token = chance.token();
  const session = { digest: digestOf(token), address: '127.0.0.1', userAgent: 'test' };
  await must(server.store, 'panel/sessions/open', { accountId: account.id, memberId: person.id, session });
  await page.send('Network.setCookie', {
    name: '__Host-drawbridge',
    value: token,
    url: server.config.publicUrl,
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Strict',
  });
}

const routesFile = join(import.meta.dirname, '../../web/src/panel/routes.ts');

/** The address of every page there is, with the named parts filled in. */
export function everyPage(parts: Record<string, string>): string[] {
  const found = [...readFileSync(routesFile, 'utf8').matchAll(/path: '(\/panel[^']*)'/g)];
  return found.map(([, path]) => fillIn(path!, parts));
}

const fillIn = (path: string, parts: Record<string, string>): string =>
  path
    .split('/')
    .map((part, index, all) => {
      if (!part.startsWith(':')) return part;
      const value = parts[`${all[index - 1]}${part}`];
      if (value === undefined) throw new Error(`${path} needs ${all[index - 1]}${part}`);
      return value;
    })
    .join('/');
