/** The panel in a real browser, used as a person does: by the labels of buttons, links and fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from '../../../scripts/build-web.ts';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import type { TestPerson, TestAccount } from '../server/account.ts';
import type { AnyBrowser, AnyPage, EmulationOptions } from './any-page.ts';
import type { BrowserPage } from './browser-page.ts';
import type { TestService } from '../server/service.ts';
import { createPanelSession } from '../server/panel.ts';
import { eventually } from '../eventually.ts';

/** What a person does with a page of the panel. */
export interface PanelActions {
  /** Opens a page of the server and waits until it shows content. */
  visit(path: string): Promise<void>;
  /** Presses the button, link or menu item with this label. */
  press(label: string): Promise<void>;
  /** Presses the control with this label in the dialog that is open or just opening. */
  answer(label: string): Promise<void>;
  /** Replaces the content of the field with this label. */
  fill(label: string, text: string): Promise<void>;
  /** Chooses in the list with this label. */
  choose(label: string, option: string): Promise<void>;
  /** Waits until the page shows this text. */
  reads(text: string): Promise<void>;
  /** The whole text of the page now. */
  text(): Promise<string>;
}

export type PanelPage = BrowserPage & PanelActions;

const quoted = (text: string): string => JSON.stringify(text);

/** The controls whose first line of text, or accessible name if they have no text, is this. */
const pressable = (label: string): string => `[...document.querySelectorAll(
  'dialog[open] button, dialog[open] a, [popover]:popover-open button, button, a, summary, label')].find((each) =>
  (each.innerText.trim().split('\\n')[0] === ${quoted(label)} || each.getAttribute('aria-label') === ${quoted(label)}) &&
  each.checkVisibility() && !each.disabled && (!document.querySelector('dialog[open]') || each.closest('dialog[open]')))`;

const labelled = (label: string): string => `(() => {
  const found = [...document.querySelectorAll('label')].findLast((each) => each.innerText.trim() === ${quoted(label)});
  return found?.control ?? document.querySelector('[aria-label=' + ${quoted(quoted(label))} + ']');
})()`;

/** True while nothing is loading and no transition is running. */
const settled = `document.querySelector('h1, h2, form') &&
  !document.querySelector('.state .spinner, [aria-busy="true"]') &&
  !document.getAnimations().some((each) => each instanceof CSSTransition)`;

/** A page learns of its new size one frame later, and shows what follows from it in the next one. */
const nextFrame = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`;

/**
 * Visits the pages and inspects each in all looks. A page is loaded once, in each of the looks in turn, and then takes the
 * others as a window that is resized.
 */
export async function visitInLooks<Look extends string>(
  page: PanelPage,
  looks: Readonly<Record<Look, EmulationOptions>>,
  paths: readonly string[],
  inspect: (where: string) => Promise<void>,
): Promise<void> {
  const names = Object.keys(looks) as Look[];
  for (const [at, path] of paths.entries()) {
    const [loaded, ...others] = names.map((_, index) => names[(at + index) % names.length]!);
    await page.emulate(looks[loaded!]);
    await page.visit(path);
    await inspect(`${path}, ${loaded}`);
    for (const name of others) {
      await page.emulate(looks[name]);
      await page.evaluate(nextFrame);
      await page.until(settled);
      await inspect(`${path}, ${name}`);
    }
  }
}

/** A new page; beside another, it is a tab of the same browser and shares its cookies. */
export async function openPanelPage<Page extends AnyPage>(
  browser: AnyBrowser<Page>,
  baseUrl: string,
  beside?: Page,
): Promise<Page & PanelActions> {
  await buildWeb();
  const page = await browser.page(beside);
  return Object.assign(page, {
    reads: (text: string) => page.until<void>(`document.body.innerText.includes(${quoted(text)})`),
    press: (label: string) => press(page, label),
    async answer(label: string) {
      await page.until(`document.querySelector('dialog[open]')`);
      await press(page, label);
    },
    text: () => page.evaluate<string>('document.body.innerText'),
    async visit(path: string) {
      await page.goto(new URL(path, baseUrl).href);
      await page.until(settled).catch((error: unknown) => {
        throw new Error([`${path} goes on loading`, ...page.errors].join('\n'), { cause: error });
      });
    },
    fill: (label: string, text: string) => fill(page, label, text),
    choose: (label: string, option: string) => choose(page, label, option),
  });
}

async function press(page: AnyPage, label: string): Promise<void> {
  await page.until(pressable(label));
  await page.byHand(`${pressable(label)}.click()`);
}

async function fill(page: AnyPage, label: string, text: string): Promise<void> {
  await page.until(labelled(label));
  // A dialog that is just opening moves the focus once.
  const write = async (): Promise<string> => {
    await page.evaluate(`${labelled(label)}.focus(), ${labelled(label)}.select()`);
    await page.write(text);
    return page.evaluate(`${labelled(label)}.value`);
  };
  await eventually(write, (written) => written === text);
}

async function choose(page: AnyPage, label: string, option: string): Promise<void> {
  await page.until(labelled(label));
  await page.evaluate(`(() => {
    const list = ${labelled(label)};
    list.value = [...list.options].find((each) => each.text.trim() === ${quoted(option)}).value;
    list.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
}

/** Signs the browser in as this person directly, without the sign-in page. */
export async function signInAs(
  page: AnyPage,
  service: Pick<TestService, 'server'>,
  account: Pick<TestAccount, 'id'>,
  person: Pick<TestPerson, 'id'>,
): Promise<void> {
  const value = await createPanelSession(service, account, person);
  await setSessionCookie(page, service.server.config.publicUrl, value);
}

export async function setSessionCookie({ tab }: AnyPage, url: string, value: string): Promise<void> {
  const domain = new URL(url).hostname;
  const kind = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' as const };
  await tab.browserContext().setCookie({ name: cookieName, value, domain, ...kind });
}

export interface ShownPicture {
  width: number;
  height: number;
  /** How many different colours it has. */
  colours: number;
  /** Red, green and blue of its centre. */
  middle: number[];
}

/** What an image of the page really shows; all zero until it shows something. */
export const readPicture = (page: AnyPage, selector: string): Promise<ShownPicture> =>
  page.evaluate(`(() => {
    const picture = document.querySelector(${quoted(selector)});
    const { naturalWidth: width = 0, naturalHeight: height = 0 } = picture ?? {};
    if (!picture?.complete || width * height === 0) return { width: 0, height: 0, colours: 0, middle: [0, 0, 0] };
    const paper = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    paper.drawImage(picture, 0, 0);
    const { data } = paper.getImageData(0, 0, width, height);
    const at = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
    return { width, height, colours: new Set(new Uint32Array(data.buffer)).size, middle: [...data.slice(at, at + 3)] };
  })()`);

const routesFile = join(import.meta.dirname, '../../../web/src/panel/routes.ts');

/** The address of every page, with its named parameters filled in. */
export function allPagePaths(parts: Record<string, string>): string[] {
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
