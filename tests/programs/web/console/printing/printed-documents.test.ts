/** The documents that the operator's page offers: how many it keeps, and what it does when the operator discards one. */
import assert from 'node:assert/strict';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { browser, browserTest, waitUntilSettled } from '../console-browser.ts';
import { connectConsole, startConsoleFixture } from '../console-fixture.ts';

function print(device: DeviceSession, id: number): void {
  device.send('document', { is: 'begin', id, name: `Letter ${id}` });
  device.send('document_bytes', { id, at: 0, data: new Uint8Array(10) });
  device.send('document', { is: 'end', id, size: 10 });
}

const offered = `[...document.querySelectorAll('.document:not([hidden]) [dir]')].map((each) => each.textContent)`;
/** From now on, the page notes whose content it releases. */
const noteReleased = `{
  const revoke = URL.revokeObjectURL.bind(URL);
  window.released = [];
  URL.revokeObjectURL = (address) => (window.released.push(address), revoke(address));
}`;

browserTest(
  'the page keeps the last ten documents, and releases the others and those discarded',
  async () => {
    await using fixture = await startConsoleFixture(browser);
    const { page } = fixture;
    const device = await connectConsole(fixture);
    await page.evaluate(noteReleased);
    const addresses = `[...document.querySelectorAll('.document a')].map((each) => each.href)`;
    for (let id = 1; id <= 10; id += 1) print(device, id);
    await waitUntilSettled(page, device);
    const [newest, ...older] = await page.evaluate<string[]>(addresses);
    print(device, 11);
    await waitUntilSettled(page, device);
    await page.click('.document:nth-child(2) .document-actions button:last-child');

    const names = [11, 9, 8, 7, 6, 5, 4, 3, 2].map((id) => `Letter ${id}`);
    assert.deepEqual(await page.evaluate(offered), names);
    assert.deepEqual(await page.evaluate('window.released'), [older.at(-1), newest]);
  },
);
