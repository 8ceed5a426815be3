/**
 * A real Firefox, headless unless a display is given, for tests of what people see. It ends with the process
 * that opened it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyBrowser } from './any-page.ts';
import { openBidi, type Bidi } from './bidi.ts';
import { openFirefoxPage, subscribedEvents, type FirefoxPage } from './firefox-page.ts';
import { findFirefox } from '../requirements.ts';
import { boundToParent, followProcess, type Program } from '../process.ts';

export interface Firefox extends AnyBrowser<FirefoxPage> {
  /** Sends any other command of the protocol. */
  bidi: Bidi;
}

export interface FirefoxOptions {
  /** The display its windows are on, such as `:5`. */
  display?: string;
  /** Further preferences; they override the default ones. */
  prefs?: Readonly<Record<string, string | number | boolean>>;
}

/** Every other host goes to a proxy that does not exist: only this machine is reached directly. */
const ownPrefs = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'browser.startup.page': 0,
  // Overlay scrollbars, as in a window, which take no space.
  'ui.useOverlayScrollbars': 1,
  'layout.css.prefers-color-scheme.content-override': 1,
};

export async function openFirefox({ display, prefs }: FirefoxOptions = {}): Promise<Firefox> {
  const program = findFirefox();
  if (!program) throw new Error('Firefox is not installed');
  const profile = mkdtempSync(join(tmpdir(), 'drawbridge-firefox-'));
  const lines = Object.entries({ ...ownPrefs, ...prefs }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const args = ['--remote-debugging-port', '0', '--profile', profile, '--no-remote'];
  const child = spawn(...boundToParent(program, display === undefined ? ['--headless', ...args] : args), {
    env: { ...process.env, HOME: profile, ...(display !== undefined && { DISPLAY: display }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = followProcess(child);
  const ended = once(child, 'exit');
  const remove = (): void =>
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  try {
    const bidi = await greet(running);
    const close = async (): Promise<void> => {
      await bidi.send('browser.close').catch(() => child.kill('SIGKILL'));
      await ended;
      remove();
    };
    return { bidi, page: (beside) => openFirefoxPage(bidi, beside), close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await running.end('SIGKILL');
    remove();
    throw error;
  }
}

/** Firefox prints the address it listens at; only this process reads it. */
async function greet(running: Program): Promise<Bidi> {
  const [, address] = await running.until(/WebDriver BiDi listening on (ws:\S+)/);
  const bidi = await openBidi(address!);
  await bidi.send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  await bidi.send('session.subscribe', { events: subscribedEvents });
  return bidi;
}
