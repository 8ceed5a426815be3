/**
 * One dialog or menu of the panel as a step: opened, checked in light and dark, wide and narrow, and used.
 */
import assert from 'node:assert/strict';
import { accessibilityProblems } from '../accessibility.ts';
import type { PanelPage } from '../panel-browser.ts';

export interface DialogStep {
  /** Its title (dialog) or accessible name (menu); a value that ends in a space is a prefix. */
  title: string;
  /** The file of web/src/panel that opens it. */
  from: string;
  /** The page it is opened on; absent if the step before leads there. */
  at?: string;
  /** The menu that holds its item; without `press`, the step is about this menu itself. */
  menu?: string;
  /** The control that opens it; absent if it is already open. */
  open?: string | ((page: PanelPage) => Promise<unknown>);
  /** Uses it and checks what the page shows afterwards. */
  act: (page: PanelPage) => Promise<unknown>;
}

const quoted = (text: string): string => JSON.stringify(text);

/** Whether a text is this one or starts with it. */
const isCalled = (text: string, name: string): string =>
  name.endsWith(' ') ? `${text}?.startsWith(${quoted(name)})` : `${text} === ${quoted(name)}`;

const openMenu = `document.querySelector('.menu:popover-open')`;
/** The topmost dialog or menu. */
const top = `([...document.querySelectorAll('dialog[open]')].at(-1) ?? ${openMenu})`;
const titleOf = `(${top}?.getAttribute('aria-label') ??
  document.getElementById(${top}?.getAttribute('aria-labelledby'))?.textContent)`;
const isStill = `!document.getAnimations().some((each) => each instanceof CSSTransition) &&
  !${top}.querySelector('.state .spinner')`;
/** How far anything that should not scroll sideways can be scrolled. */
const horizontalOverflow = `Math.max(document.documentElement.scrollWidth - innerWidth, ${top}.scrollWidth - ${top}.clientWidth)`;
const ran = 'globalThis.__ran';

const wide = { width: 1_280, height: 800 };
const narrow = { width: 390, height: 844 };

export const waitUntilClosed = (page: PanelPage): Promise<unknown> => page.until(`!${top}`);

/** Waits until the page shows this text in a notice. */
export const waitForNotice = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(
    `[...document.querySelectorAll('.notice')].some((each) => each.innerText.includes(${quoted(text)}))`,
  );

/** Waits until the content of the page no longer contains this text. */
export const waitUntilGone = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(`!document.querySelector('main').innerText.includes(${quoted(text)})`);

/** Waits until the content of the page, not a dialog over it, contains this text. */
export const waitUntilShown = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(`document.querySelector('main').innerText.includes(${quoted(text)})`);

/** Presses the control with this accessible name and no text. */
export async function toggle(page: PanelPage, label: string): Promise<void> {
  const box = `[...document.querySelectorAll('input')].find(
    (each) => each.getAttribute('aria-label') === ${quoted(label)} && each.checkVisibility())`;
  await page.until(box);
  await page.evaluate(`${box}.click()`);
}

/** Chooses an entry of the list with this heading: the dialog may offer the same name elsewhere. */
export async function pickOption(page: PanelPage, list: string, name: string): Promise<void> {
  const line = `[...document.querySelectorAll('dialog[open] fieldset')]
    .find((each) => each.querySelector('legend').innerText === ${quoted(list)})
    ?.querySelectorAll('label').values().find((each) => each.innerText.split('\\n')[0] === ${quoted(name)})`;
  await page.until(line);
  await page.evaluate(`${line}.click()`);
}

export async function chooseFile(page: PanelPage, selector: string, file: string): Promise<void> {
  await page.until(`document.querySelector(${quoted(selector)})`);
  const input = await page.tab.$(selector);
  await input!.uploadFile(file);
}

/** Removes earlier notices, so that they are not taken for the next one. */
const removeNotices = `document.querySelectorAll('.notice').forEach((each) => each.remove())`;

/** Navigates to another page without a reload, as a link does; nothing may be left open by then. */
export async function navigateTo(page: PanelPage, path: string): Promise<void> {
  await waitUntilClosed(page);
  await page.evaluate(removeNotices);
  await page.evaluate(`history.pushState(null, '', ${quoted(path)}), dispatchEvent(new PopStateEvent('popstate')),
    new Promise((resolve) => setTimeout(resolve))`);
  await page.until(`document.querySelector('main h1') && !document.querySelector('.state .spinner')`);
}

/**
 * Light and dark differ only in colours. A menu is positioned at its button when it opens, so only dialogs
 * are checked in a narrow window.
 */
async function checkAppearance(page: PanelPage, isDialog: boolean): Promise<void> {
  for (const [look, rule] of [
    [{ ...(isDialog ? narrow : wide), dark: true }, {}],
    [wide, { only: 'color-contrast' }],
  ] as const) {
    await page.emulate(look);
    await page.until(isStill);
    assert.deepEqual(await accessibilityProblems(page, { part: top, ...rule }), [], JSON.stringify(look));
    assert.ok(
      (await page.evaluate<number>(horizontalOverflow)) <= 0,
      `it is too wide: ${JSON.stringify(look)}`,
    );
  }
}

async function openIn(page: PanelPage, { menu, open }: DialogStep): Promise<void> {
  if (menu !== undefined) {
    const opener = `[...document.querySelectorAll('[aria-haspopup=menu]')].find((each) =>
      each.checkVisibility() && ${isCalled(`each.getAttribute('aria-label')`, menu)})`;
    await page.until(`!document.querySelector('dialog[open]') && ${opener}`);
    await page.byHand(`${opener}.click()`);
    await page.until(`${openMenu} && ${isCalled(titleOf, menu)}`);
    await checkAppearance(page, false);
  }
  if (typeof open === 'function') await open(page);
  else if (open !== undefined && menu === undefined) await page.press(open);
  else if (open !== undefined)
    await page.evaluate(`[...${openMenu}.querySelectorAll('.menu-item')]
      .find((each) => each.innerText.trim() === ${quoted(open)}).click()`);
}

async function runStep(page: PanelPage, step: DialogStep): Promise<void> {
  if (step.at !== undefined) await navigateTo(page, step.at);
  await page.evaluate(removeNotices);
  await openIn(page, step);
  await page.until(isCalled(titleOf, step.title));
  if (step.menu === undefined || step.open !== undefined) await checkAppearance(page, true);
  await step.act(page);
  assert.equal(await page.evaluate(ran), undefined, 'a script ran');
}

/** Takes the steps one after the other; the first failure names the step and the text of the page. */
export async function runSteps(page: PanelPage, steps: readonly DialogStep[]): Promise<void> {
  for (const step of steps)
    await runStep(page, step).catch(async (error: unknown) => {
      const words = [`${step.from}: ${step.title}: ${String(error)}`, ...page.errors, await page.text()];
      throw new Error(words.join('\n'), { cause: error });
    });
}
