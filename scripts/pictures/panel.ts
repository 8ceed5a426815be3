/** Takes the screenshots of the panel: every page of a fictional account, light and dark, the most used ones also on a phone. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, type Browser } from '../../tests/kit/browser/browser.ts';
import type { EmulationOptions } from '../../tests/kit/browser/any-page.ts';
import { startService, type TestService } from '../../tests/kit/server/service.ts';
import { skipWithout } from '../../tests/kit/requirements.ts';
import { openPanelPage, type PanelPage } from '../../tests/kit/browser/panel-browser.ts';
import { ensureAgent } from '../build-agent.ts';
import { buildWeb } from '../build-web.ts';
import { createFirm } from './firm/firm.ts';
import { firmPassword } from './firm/past.ts';
import { owner } from './firm/people.ts';
import { createScreenshotList, type PanelScreenshot } from './panel-pages.ts';
import { compressPng } from './compress-png.ts';

const folder = join(import.meta.dirname, '../../docs/pictures/panel');
const publicUrl = 'https://help.brightwater.example';

type SizedEmulation = EmulationOptions & { width: number; height: number };

const wide: SizedEmulation = { width: 1_280, height: 800 };
const phone: SizedEmulation = { width: 390, height: 844, phone: true };

/** The fictional host name resolves to the server; no other name resolves. */
const flagsFor = ({ server }: TestService): string[] => [
  `--host-resolver-rules=MAP ${new URL(publicUrl).host}:443 127.0.0.1:${server.config.listen.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
];

/** A visible tile of an online device without its preview: previews are requested when their tile becomes visible. */
const isPreviewMissing = `[...document.querySelectorAll('.tile:has(.dot.on) .preview:not(:has(img))')].some(
  (each) => each.getBoundingClientRect().top < innerHeight)`;

/** Everything is loaded, animations are paused, and no button shows a focus ring. */
const isSettled = `!document.querySelector('.state .spinner, [aria-busy="true"]') && !${isPreviewMissing} &&
  [...document.images].every((each) => each.complete) &&
  !document.getAnimations().some((each) => each instanceof CSSTransition && each.playState === 'running') &&
  (document.activeElement?.matches('button') && document.activeElement.blur(), document.getAnimations().forEach((each) => (each.pause(), (each.currentTime = 0))), true)`;

/** The window grows with the page up to this height; longer pages are cut. */
const maxHeight = 1_300;

async function showAll(page: PanelPage, emulation: SizedEmulation): Promise<void> {
  await page.emulate(emulation);
  await page.until(isSettled);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  if (height > emulation.height) await page.emulate({ ...emulation, height: Math.min(height, maxHeight) });
}

async function takeScreenshot(page: PanelPage, name: string, emulation: SizedEmulation): Promise<void> {
  await showAll(page, emulation);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 150)))');
  await page.until(isSettled);
  // Not `tab.screenshot()`: puppeteer's own session does not know the emulated pixel ratio.
  const { data } = await page.devtools.send('Page.captureScreenshot');
  writeFileSync(join(folder, `${name}.png`), compressPng(Buffer.from(data, 'base64')));
  console.log(`docs/pictures/panel/${name}.png`);
}

async function takeAllVariants(page: PanelPage, picture: PanelScreenshot): Promise<void> {
  const { name, path, prepare, onPhone } = picture;
  await page.emulate(wide);
  if (path !== undefined) await page.visit(path);
  // A page that redirects to another has its screenshot there.
  if (path !== undefined && new URL(path, publicUrl).pathname !== (await page.evaluate('location.pathname')))
    return;
  await prepare?.(page);
  await takeScreenshot(page, `${name}-light`, wide);
  await takeScreenshot(page, `${name}-dark`, { ...wide, dark: true });
  if (!onPhone) return;
  await page.emulate(phone);
  if (path !== undefined) {
    await page.visit(path);
    await prepare?.(page);
  }
  await takeScreenshot(page, `${name}-phone`, phone);
}

/** A page without a sign-in. */
async function openPage(browser: Browser): Promise<PanelPage> {
  const page = await openPanelPage(browser, publicUrl);
  await page.tab.emulateTimezone('Europe/Zurich');
  return page;
}

async function signIn(page: PanelPage): Promise<void> {
  await takeAllVariants(page, { name: 'sign-in', path: '/sign-in', onPhone: true });
  await page.emulate(wide);
  await page.fill('E-mail address', owner);
  await page.fill('Password', firmPassword);
  await page.press('Sign in');
  await page.reads('Open invitations');
}

/** The first sign-in of a person, with the link they received. */
async function firstVisit(page: PanelPage, link: string): Promise<void> {
  await page.emulate(wide);
  await page.goto(link);
  await page.press('Sign in');
  await page.reads('Welcome');
  await takeAllVariants(page, { name: 'welcome' });
  await page.emulate(wide);
  await page.fill('New password', firmPassword);
  await page.press('Set the password');
  await page.reads('What comes next?');
  await takeAllVariants(page, { name: 'first-steps', onPhone: true });
}

async function newAccountLink(page: PanelPage): Promise<string> {
  await page.visit('/panel/server');
  await page.press('New account');
  await page.fill('E-mail address of the owner', 'mia@fernhill.example');
  await page.press('Create');
  await page.reads('The account is ready');
  return page.evaluate<string>(`/https:\\S+\\/sign-in\\/\\S+/.exec(document.body.innerText)[0]`);
}

export async function takePanelScreenshots(): Promise<void> {
  const lacking = skipWithout('Chromium');
  if (lacking) throw new Error(String(lacking));
  await buildWeb();
  // The server offers an install command only if it has the files of the agent.
  await ensureAgent({ mayFetch: false });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await using service = await startService({ env: { DRAWBRIDGE_PUBLIC_URL: publicUrl } });
  await using browser = await openBrowser({ wholeBrowser: true, flags: flagsFor(service) });
  const { parts } = await createFirm(service, browser);
  const page = await openPage(browser);
  await signIn(page);
  for (const picture of createScreenshotList(parts)) await takeAllVariants(page, picture);
  await firstVisit(await openPage(browser), await newAccountLink(page));
}
