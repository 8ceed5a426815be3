/** An operator drags files out of the picture in a real browser, from a real program on the device, and has them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { saveDownloads } from '../../kit/browser/browser-dialogs.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { leavePicture, pressAndDrag } from '../../kit/browser/remote-input.ts';
import {
  endSession,
  missingPrograms,
  openDesktopFixture,
  openOperatorPage,
  type DesktopFixture,
} from '../../kit/display/desktop-fixture.ts';
import { startDragSource, type DragSource } from '../../kit/display/drag/drag-source.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';

const skip = missingPrograms() || skipWithout('GTK 3');
const names = ['report 1.txt', 'größe.bin'];

let [fixture, downloads]: [DesktopFixture?, string?] = [];
before(async () => {
  if (skip) return;
  downloads = mkdtempSync(join(tmpdir(), 'drawbridge-dragged-'));
  fixture = await openDesktopFixture();
  writeFileSync(join(fixture.folder, names[0]!), 'a report');
  writeFileSync(
    join(fixture.folder, names[1]!),
    createHash('sha512').update('large').digest().toString('hex').repeat(20_000),
  );
});
after(async () => {
  await fixture?.[Symbol.asyncDispose]();
  if (downloads) rmSync(downloads, { recursive: true });
});

const startSource = (): Promise<DragSource> =>
  startDragSource(
    fixture!.display.name,
    'files',
    names.map((name) => pathToFileURL(join(fixture!.folder, name)).href),
  );

const hashOf = (file: string): string | undefined =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined;

const hint = `[...document.querySelectorAll('.drop-hint')].find(({ hidden }) => !hidden)`;

/** Drags what the program offers to the outside of the picture, and still holds it. */
async function dragOut(page: BrowserPage, source: DragSource): Promise<void> {
  await pressAndDrag(page, source.at, () => source.output().includes('begin'));
  await leavePicture(page);
}

test('files that the operator drags out of the picture are downloaded', { skip }, async () => {
  await using source = await startSource();
  const page = await fixture!.connect();
  await saveDownloads(page, downloads!);
  await dragOut(page, source);
  await page.until(`${hint}?.textContent === 'Let go to save 2 files on your computer'`);
  await page.tab.mouse.up();

  await page.until(`document.querySelectorAll('.transfer.done').length === 2`);
  for (const name of names)
    await eventually(
      () => hashOf(join(downloads!, name)),
      (hash) => hash === hashOf(join(fixture!.folder, name)),
    );
  assert.equal(await page.evaluate(`${hint} === undefined`), true);
  await source.until(/end/);
  assert.equal(source.output(), 'enter\nbegin\nend\n', 'the program has seen a successful copy');
  await endSession(page);
});

test('the policy of the device forbids it, and the page says so', { skip }, async () => {
  const decide = (files: 'to_device' | 'inherit') =>
    fixture!.owner.call('agents/policy/update', { agent_id: fixture!.device, files });
  await decide('to_device');
  await using source = await startSource();
  const page = await fixture!.connect();
  await dragOut(page, source);
  await page.until(`${hint}?.textContent === 'The policy of this device does not allow downloads.'`);
  await page.tab.mouse.up();

  await source.until(/failed/);
  await page.until(`${hint} === undefined`);
  await endSession(page);
  await decide('inherit');
});

test('without the permission for files nothing is taken', { skip }, async () => {
  const person = await fixture!.account.member();
  await fixture!.account.grant(person, {
    type: 'agent',
    agentId: fixture!.device,
    permissions: ['agent_connect', 'agent_control'],
  });
  const { body } = await person.call('agents/connect', { agent_id: fixture!.device });
  await using source = await startSource();
  const page = await openOperatorPage(fixture!.browser);
  await page.goto(body['data'].url as string);
  await page.click('.button.primary');
  await page.until(`document.querySelector('canvas.screen')?.width === 1024`);
  await saveDownloads(page, downloads!);
  const savedBefore = readdirSync(downloads!);
  await dragOut(page, source);
  await page.tab.mouse.up();

  await source.until(/failed[^]*end/);
  assert.equal(await page.evaluate(`${hint} === undefined`), true);
  await endSession(page);
  assert.deepEqual(readdirSync(downloads!), savedBefore);
});
