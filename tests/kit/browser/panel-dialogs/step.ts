/** One dialog or menu of the panel as a step: opened, looked at in light and dark, wide and narrow, and used. */
import assert from 'node:assert/strict';
import { accessibilityProblems } from '../accessibility.ts';
import type { PanelPage } from '../panel-browser.ts';

export interface DialogStep {
  /** What it says it is: a dialog in its title, a menu by its name; one that ends in a space is the beginning of it. */
  title: string;
  /** The file of web/src/panel that opens it. */
  from: string;
  /** The page it is opened on; absent where the step before has led. */
  at?: string;
  /** The menu it is chosen in; alone, it is the menu that the step is about. */
  menu?: string;
  /** What is pressed to open it; absent where it is open by now. */
  open?: string | ((page: PanelPage) => Promise<unknown>);
  /** What is done in it, and what the page shows then. */
  act: (page: PanelPage) => Promise<unknown>;
}

const quoted = (text: string): string => JSON.stringify(text);

/** Whether a text is this one, or begins with it. */
const isCalled = (text: string, name: string): string =>
  name.endsWith(' ') ? `${text}?.startsWith(${quoted(name)})` : `${text} === ${quoted(name)}`;

const openMenu = `document.querySelector('.menu:popover-open')`;
/** What is on top. */
const top = `([...document.querySelectorAll('dialog[open]')].at(-1) ?? ${openMenu})`;
const titleOf = `(${top}?.getAttribute('aria-label') ??
  document.getElementById(${top}?.getAttribute('aria-labelledby'))?.textContent)`;
const isStill = `!document.getAnimations().some((each) => each instanceof CSSTransition) &&
  !${top}.querySelector('.state .spinner')`;
/** How far something can be scrolled to the side that should not be. */
const horizontalOverflow = `Math.max(document.documentElement.scrollWidth - innerWidth, ${top}.scrollWidth - ${top}.clientWidth)`;
const ran = 'globalThis.__ran';

const wide = { width: 1_280, height: 800 };
const narrow = { width: 390, height: 844 };

export const waitUntilClosed = (page: PanelPage): Promise<unknown> => page.until(`!${top}`);

/** Waits until the page says this in a notice at its edge. */
export const waitForNotice = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(
    `[...document.querySelectorAll('.notice')].some((each) => each.innerText.includes(${quoted(text)}))`,
  );

/** Waits until the content of the page no longer says this. */
export const waitUntilGone = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(`!document.querySelector('main').innerText.includes(${quoted(text)})`);

/** Waits until the content of the page says this, not a dialog over it. */
export const waitUntilShown = (page: PanelPage, text: string): Promise<unknown> =>
  page.until(`document.querySelector('main').innerText.includes(${quoted(text)})`);

/** Presses what has this name and no words. */
export async function toggle(page: PanelPage, label: string): Promise<void> {
  const box = `[...document.querySelectorAll('input')].find(
    (each) => each.getAttribute('aria-label') === ${quoted(label)} && each.checkVisibility())`;
  await page.until(box);
  await page.evaluate(`${box}.click()`);
}

/** Chooses one in the list with this heading: what is offered elsewhere in the dialog may have the same name. */
export async function pickOption(page: PanelPage, list: string, name: string): Promise<void> {
  const line = `[...document.querySelectorAll('dialog[open] fieldset')]
    .find((each) => each.querySelector('legend').innerText === ${quoted(list)})
    ?.querySelectorAll('label').values().find((each) => each.innerText.split('\\n')[0] === ${quoted(name)})`;
  await page.until(line);
  await page.evaluate(`${line}.click()`);
}

export async function chooseFile(page: PanelPage, selector: string, file: string): Promise<void> {
  await page.until(`document.querySelector(${quoted(selector)})`);
  const { result } = await page.send<{ result: { objectId: string } }>('Runtime.evaluate', {
    expression: `document.querySelector(${quoted(selector)})`,
  });
  await page.send('DOM.enable');
  await page.send('DOM.setFileInputFiles', { objectId: result.objectId, files: [file] });
}

/** What was said before is not taken for what is said next. */
const removeNotices = `document.querySelectorAll('.notice').forEach((each) => each.remove())`;

/** Goes to another page without loading anew, as a link does; nothing may be left open by then. */
export async function navigateTo(page: PanelPage, path: string): Promise<void> {
  await waitUntilClosed(page);
  await page.evaluate(removeNotices);
  await page.evaluate(`history.pushState(null, '', ${quoted(path)}), dispatchEvent(new PopStateEvent('popstate')),
    new Promise((resolve) => setTimeout(resolve))`);
  await page.until(`document.querySelector('main h1') && !document.querySelector('.state .spinner')`);
}

/** Only colours differ in light and dark. A menu stands where its button is when it opens: a dialog alone can become narrow. */
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

/** Takes one step after the other; the first that fails says which it was, and what the page said then. */
export async function runSteps(page: PanelPage, steps: readonly DialogStep[]): Promise<void> {
  for (const step of steps)
    await runStep(page, step).catch(async (error: unknown) => {
      const words = [`${step.from}: ${step.title}`, ...page.errors, await page.text()];
      throw new Error(words.join('\n'), { cause: error });
    });
}
