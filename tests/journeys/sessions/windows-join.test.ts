/** Quick support on a Windows desktop under Wine, by the file as it is shipped: a whole session in a real browser, and no traces afterwards. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { startNotepad } from '../../kit/agent/notepad.ts';
import { buildWindowsFile } from '../../kit/agent/single-file.ts';
import { missingWindowsPrograms } from '../../kit/agent/windows-desktop.ts';
import { filesOn, openWine, registryOf } from '../../kit/agent/wine.ts';
import { openBrowser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { typeKeys } from '../../kit/browser/remote-input.ts';
import { answerOnDisplay } from '../../kit/display/answer-on-display.ts';
import { endSession } from '../../kit/display/desktop-fixture.ts';
import { findWindow } from '../../kit/display/desktop-programs.ts';
import { startDisplay } from '../../kit/display/display.ts';
import { eventually } from '../../kit/eventually.ts';
import { startJoinFixture, type JoinFixture } from './join-fixture.ts';

const skip = missingWindowsPrograms();
const [width, height] = [1_000, 640];

/** The arguments with which the page of the invitation starts the program. */
function joinArguments({ code, service }: JoinFixture): string[] {
  const { fingerprint256 } = new X509Certificate(service.testClient.ca);
  const fingerprint = fingerprint256.replaceAll(':', '');
  return ['join', code, '--server', service.testClient.baseUrl, '--fingerprint', fingerprint];
}

/** The person at the device allows the session. */
async function allow(page: BrowserPage): Promise<void> {
  let isLive = false;
  const seen = page.until(`document.querySelector('canvas.screen')?.width === ${width}`);
  void seen.then(
    () => (isLive = true),
    () => {},
  );
  await answerOnDisplay('Allow', () => isLive);
}

test('an operator helps a person who only started the file, and nothing is left', { skip }, async () => {
  const program = await buildWindowsFile();
  await using cleanup = new AsyncDisposableStack();
  const fixture = cleanup.use(await startJoinFixture(cleanup.use(await openBrowser())));
  const display = cleanup.use(await startDisplay(width, height));
  const windows = cleanup.use(openWine());
  const notepad = startNotepad(windows, display, width);
  // Windows has then created its folders.
  await findWindow('notes.txt - Notepad');
  const before = new Set(filesOn(windows));

  const joined = windows.start(program, joinArguments(fixture), { DISPLAY: display.name });
  await joined.until(/Invited by owner-\S+\. Waiting/);
  const page = await fixture.operator();
  await allow(page);
  const window = await notepad.focus(page);
  await typeKeys(page, 'Written by the operator, 42!');
  await notepad.savesAs(page, 'Written by the operator, 42!');
  await notepad.isShown(page, window);
  const { client_os: os } = await fixture.status(2);
  await endSession(page);
  await fixture.status(1);
  const { id: connection_id } = await fixture.info();
  await fixture.owner.call('support/close', { connection_id });
  const code = await joined.gone;

  assert.deepEqual([os, code], ['win', 0], joined.output());
  assert.match(joined.output(), /owner-\S+ \(127\.0\.0\.1\) is connected/);
  await eventually(
    () => filesOn(windows).filter((path) => !before.has(path)),
    (left) => left.length === 0,
  );
  assert.doesNotMatch(registryOf(windows), /drawbridge agent|drawbridgeagent/i);
});
