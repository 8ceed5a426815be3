/**
 * A recording from end to end: the agent records a real display, the server stores it, a real browser plays
 * it.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import type { TestPerson } from '../../kit/server/account.ts';
import { startAgent } from '../../kit/agent/agent.ts';
import { openBrowser, type Browser } from '../../kit/browser/browser.ts';
import type { BrowserPage } from '../../kit/browser/browser-page.ts';
import { startDisplay, type TestDisplay } from '../../kit/display/display.ts';
import { listDevices, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { makeTextPicture } from '../../kit/display/pictures.ts';
import { startProgram } from '../../kit/process.ts';
import { findLastVideo, openWatchedSession } from '../../kit/session/recorded-session.ts';
import { eventually } from '../../kit/eventually.ts';
import { buildPages } from '../../programs/web/page-files.ts';

const skip = skipWithout('Xvfb') || skipWithout('Chromium');
const size = { width: 640, height: 400 };
const whole = { x: 0, y: 0, ...size };
const chunkMs = 5_000;

describe('a recorded session', { skip }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    await buildPages();
    service = await startService({ realTime: true });
    browser = await openBrowser({ wholeBrowser: true });
  });
  after(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  const onlineOf = async (owner: TestPerson): Promise<number> => {
    const [device] = await eventually(
      () => listDevices(owner),
      ([first]) => first?.online === true,
    );
    return device!.id;
  };
  /** The pixels of the canvas, one number per pixel. */
  const shownIn = async (page: BrowserPage): Promise<Uint32Array> =>
    Uint32Array.from(
      await page.evaluate<number[]>(`(() => {
        const { width, height } = document.querySelector('canvas');
        const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
        return Array.from({ length: width * height }, (_, at) =>
          (data[4 * at] << 16) | (data[4 * at + 1] << 8) | data[4 * at + 2]);
      })()`),
    );
  const differing = (one: Uint32Array, other: Uint32Array): number =>
    one.length === other.length ? one.filter((pixel, at) => pixel !== other[at]).length : -1;
  const untilSame = async (page: BrowserPage, truth: Uint32Array): Promise<void> =>
    void (await eventually(
      async () => differing(await shownIn(page), truth),
      (count) => count === 0,
    ));
  /**
   * Seeks back from the moment a picture was drawn until the one before is shown: a busy machine sends it a
   * little late.
   */
  const seekTo = async (page: BrowserPage, truth: Uint32Array, shownFor: number): Promise<void> => {
    let [back, step] = [shownFor, 200];
    await page.evaluate(reportDrawing);
    await eventually(
      async () => {
        const duration = await page.evaluate<number>(`Number(document.querySelector('.player-place').max)`);
        back += step;
        if (back > duration) [back, step] = [shownFor, step / 2];
        await seek(page, String(duration - back));
        await page.evaluate('isDrawn()');
        return differing(await shownIn(page), truth);
      },
      (count) => count === 0,
    );
  };
  /**
   * `isDrawn()` in the page resolves when the player has reached the position and drawn its pictures: it updates
   * its position once it has read all frames, and draws each picture when that is decoded.
   */
  const reportDrawing = `{
    const [decode, decoding] = [createImageBitmap, new Set()];
    globalThis.createImageBitmap = (...options) => {
      const decoded = decode(...options);
      decoding.add(decoded);
      const done = () => void decoding.delete(decoded);
      decoded.then(done, done);
      return decoded;
    };
    const slider = document.querySelector('.player-place');
    let settled = Promise.resolve();
    slider.addEventListener('input', () => {
      settled = new Promise((resolve) => {
        new MutationObserver((_records, observer) => {
          observer.disconnect();
          resolve();
        }).observe(slider, { attributeFilter: ['aria-valuetext'] });
      });
    }, { capture: true });
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    globalThis.isDrawn = async () => {
      await settled;
      do await nextFrame(); while (decoding.size > 0);
      await nextFrame();
    };
  }`;
  const seek = (page: BrowserPage, position: string): Promise<void> =>
    page.evaluate(`(() => {
      const place = document.querySelector('.player-place');
      place.value = ${position};
      place.dispatchEvent(new Event('input'));
    })()`);
  const draw = async (display: TestDisplay, seed: number): Promise<void> => {
    display.draw(whole, makeTextPicture(seed, whole));
    await display.done();
  };
  const bytesOf = (accountId: number): string[] => {
    const folder = join(service.folder, 'recordings', String(accountId));
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .toSorted();
  };

  test('it is in the history, and a browser plays it: the first picture, the last one to the pixel, and any position between', async () => {
    await using display = await startDisplay(size.width, size.height);
    await draw(display, 1);
    const account = await service.account();
    const machine = createFakePlatform('Reception desk', { desktop: openDesktop });
    await using agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(account.owner),
      machine,
    });
    const agentId = await onlineOf(account.owner);
    await using watching = await openWatchedSession(service, account.owner, agentId);
    const state = await watching.operator.until('state');
    await watching.quiet();
    const first = await display.pixels();
    const drawnAt = performance.now();
    await draw(display, 2);
    await watching.quiet();
    const last = await display.pixels();

    const shownFor = Math.round(performance.now() - drawnAt);
    watching.operator.leave();
    await agent.until(/session \d+: ended/);
    const { id, video } = await eventually(
      () => findLastVideo(account.owner),
      ({ stop }) => stop !== undefined,
    );

    assert.deepEqual([watching.opened.record, state.recording, id], [true, true, watching.opened.session]);
    assert.ok(differing(first, last) > 10_000);
    assert.ok(video!.size > 1_000);
    const { recording_mb } = (await account.owner.call('plan/info')).body['data'];
    assert.equal(recording_mb.used, Math.ceil(video!.size / 1_048_576));

    const page = await browser.page();
    await page.emulate({ width: 1_000, height: 760 });
    await page.goto(video!.url);
    await page.until(`document.querySelector('[title="Play"], [aria-label="Play"]')`);
    await untilSame(page, last);
    assert.equal(await page.evaluate(`document.querySelector('h1').textContent`), 'Reception desk');
    assert.equal(await page.evaluate(`document.querySelector('.player-cut')`), null);
    const pictureFolder = process.env['TEST_PICTURES'];
    if (pictureFolder !== undefined) await page.tab.screenshot({ path: join(pictureFolder, 'player.png') });

    await seekTo(page, first, shownFor);
    await seek(page, `document.querySelector('.player-place').max`);
    await untilSame(page, last);
    assert.deepEqual([page.errors, page.violations], [[], []]);

    const [flipped] = bytesOf(account.id);
    const bytes = readFileSync(flipped!);
    bytes[20]! ^= 1;
    writeFileSync(flipped!, bytes);
    await page.goto(`${video!.url}?again`);
    await page.until(
      `document.querySelector('[title="Play"], [aria-label="Play"], [role=alert]:not([hidden])')`,
    );
    await seek(page, '0').catch(() => {});
    assert.match(
      await page.until<string>(`document.querySelector('[role=alert]:not([hidden])')?.textContent`),
      /was changed after it was made/,
    );
    if (pictureFolder !== undefined)
      await page.tab.screenshot({ path: join(pictureFolder, 'player-broken.png') });
  });

  test('an agent that is killed leaves a recording without its end, which plays and says so', async () => {
    await using display = await startDisplay(size.width, size.height);
    await draw(display, 3);
    const account = await service.account();
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-'));
    try {
      const args = [
        'run',
        '--server',
        service.testClient.baseUrl,
        '--token',
        await createEnrolToken(account.owner),
      ];
      const env = { DRAWBRIDGE_AGENT_DATA: folder, DRAWBRIDGE_AGENT_HARMLESS: '1', DISPLAY: display.name };
      await using agent = startProgram('agent/src/main.ts', args, env);
      await using watching = await openWatchedSession(service, account.owner, await onlineOf(account.owner));
      await watching.quiet();
      const truth = await display.pixels();
      await eventually(
        async () => (await findLastVideo(account.owner))?.video?.size ?? 0,
        (stored) => stored > 0,
        3 * chunkMs,
      );
      await agent.end('SIGKILL');
      await watching.operator.gone;
      const { video } = await eventually(
        () => findLastVideo(account.owner),
        (each) => each?.video !== undefined,
      );

      const page = await browser.page();
      await page.goto(video!.url);

      assert.match(
        await page.until<string>(`document.querySelector('.player-cut')?.textContent`),
        /end of this recording is missing/,
      );
      await untilSame(page, truth);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a session that cannot be recorded any more ends, and the operator reads why', async () => {
    await using display = await startDisplay(size.width, size.height);
    await draw(display, 4);
    const account = await service.account();
    const machine = createFakePlatform('Lamp', { desktop: openDesktop });
    await using _agent = startAgent({
      server: service.testClient.baseUrl,
      token: await createEnrolToken(account.owner),
      machine,
    });
    await using watching = await openWatchedSession(service, account.owner, await onlineOf(account.owner));
    await watching.quiet();
    await service.server.store.change('plan/set', { accountId: account.id, plan: { recordingMb: 0 } });

    const end = await watching.operator.until('end');

    assert.equal(end.by, 'device');
    assert.match(end.message, /must be recorded.*storage of the account is full/);
  });
});
