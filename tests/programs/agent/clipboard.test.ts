/** The clipboard of a session whose desktop cannot be opened at first, or is lost, as the test plays it. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Clipboard, Desktop } from '@drawbridge/agent/platform/desktop';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { clipboardFeature } from '@drawbridge/agent/session/features/clipboard';
import { createFakeFeatureContext } from '../../kit/agent/fake-feature-context.ts';

const retryMs = 1_000;

/** A device whose desktop can be opened while `whyNot` is undefined, and its clipboard while `whyNoClipboard` is. */
function openDevice(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [events, lines]: string[][] = [[], []];
  const device = {
    whyNot: undefined as NotPossible | undefined,
    whyNoClipboard: undefined as Error | undefined,
    /** What the clipboard waits for before it opens. */
    delay: undefined as Promise<void> | undefined,
  };
  let [copy, lose]: [(text: string) => void, () => void] = [() => {}, () => {}];
  const clipboard: Clipboard = {
    onChange: (listener) => void (copy = listener),
    write: (text) => void events!.push(`write ${text}`),
    close: () => void events!.push('close clipboard'),
  };
  const desktop: Partial<Desktop> = {
    onClose: (listener) => void (lose = listener),
    async clipboard() {
      events!.push('open');
      await device.delay;
      if (device.whyNoClipboard) throw device.whyNoClipboard;
      return clipboard;
    },
    close: () => void events!.push('close desktop'),
  };
  const context = createFakeFeatureContext({
    async desktop() {
      if (device.whyNot) throw device.whyNot;
      events!.push('open desktop');
      return desktop as Desktop;
    },
  });
  context.log = (line) => void lines!.push(line);
  return {
    device,
    events: events!,
    lines: lines!,
    feature: clipboardFeature(context),
    copy: (text: string) => copy(text),
    /** Nothing is heard of what is copied before the next one is open. */
    lose() {
      copy = () => {};
      lose();
    },
    /** What the operator has received. */
    received: () => context.messages('clipboard').map(({ text }) => text),
    async passRetry(waitMs = retryMs) {
      t.mock.timers.tick(waitMs);
      await setImmediate();
    },
  };
}

const takenOver = new NotPossible('Another person has taken over the screen.', { isBrief: true });

test('a clipboard that cannot be opened at first is opened later, and each reason is logged once', async (t) => {
  const { device, lines, feature, copy, received, passRetry } = openDevice(t);
  device.whyNot = takenOver;
  await assert.rejects(feature.start!() as Promise<void>, /taken over/);
  await passRetry();
  device.whyNot = undefined;
  device.whyNoClipboard = new NotPossible('The screen is locked.');
  await passRetry(2 * retryMs);
  await passRetry(4 * retryMs);
  device.whyNoClipboard = undefined;
  await passRetry(8 * retryMs);
  copy('from the device');

  assert.deepEqual(received(), ['from the device']);
  assert.deepEqual(lines, [
    'the clipboard cannot be opened: Another person has taken over the screen.',
    'the clipboard cannot be opened: The screen is locked.',
  ]);
});

test('the text of the operator is refused only while the clipboard cannot be opened', async (t) => {
  const { device, events, feature } = openDevice(t);
  const paste = async (text: string) => feature.handlers.clipboard!({ text });
  device.whyNoClipboard = new NotPossible('The screen is locked.');
  await assert.rejects(feature.start!() as Promise<void>, /locked/);
  await assert.rejects(paste('early'), /locked/);
  device.whyNoClipboard = undefined;
  await paste('late');

  assert.deepEqual(events, ['open desktop', 'open', 'open', 'open', 'write late']);
});

test('what is copied on the next desktop reaches the operator, who has copied nothing since', async (t) => {
  const { device, feature, copy, lose, received, passRetry } = openDevice(t);
  await feature.start!();
  copy('first');
  device.whyNot = takenOver;
  lose();
  await passRetry();
  device.whyNot = undefined;
  await passRetry(2 * retryMs);
  copy('second');

  assert.deepEqual(received(), ['first', 'second']);
});

test('after the session nothing is opened again', async (t) => {
  const { events, feature, lose, passRetry } = openDevice(t);
  await feature.start!();
  await feature.stop();
  lose();
  await passRetry();

  await assert.rejects(async () => feature.handlers.clipboard!({ text: 'late' }), /session is over/);
  assert.deepEqual(events, ['open desktop', 'open', 'close clipboard', 'close desktop']);
});

test('a session that ends while its clipboard cannot be opened tries no longer', async (t) => {
  const { device, events, feature, passRetry } = openDevice(t);
  device.whyNoClipboard = new NotPossible('The screen is locked.');
  await assert.rejects(feature.start!() as Promise<void>, /locked/);
  await feature.stop();
  await passRetry();

  assert.deepEqual(events, ['open desktop', 'open', 'close desktop']);
});

test('while only the clipboard fails, its desktop stays open, and the waits double up to half a minute', async (t) => {
  const { device, events, feature, passRetry } = openDevice(t);
  device.whyNoClipboard = new NotPossible('The screen is locked.');
  await assert.rejects(feature.start!() as Promise<void>, /locked/);
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    const before = events.length;
    await passRetry(seconds * 1_000 - 1);
    assert.equal(events.length, before, `no attempt before ${seconds} s have passed`);
    await passRetry(1);
    assert.equal(events.length, before + 1, `one attempt after ${seconds} s`);
  }

  assert.deepEqual(events, ['open desktop', ...Array<string>(8).fill('open')]);
});

test('after a success and after a loss the next attempt is early again', async (t) => {
  const { device, events, feature, lose, passRetry } = openDevice(t);
  device.whyNoClipboard = new NotPossible('The screen is locked.');
  await assert.rejects(feature.start!() as Promise<void>, /locked/);
  for (const seconds of [1, 2, 4]) await passRetry(seconds * 1_000);
  lose();
  await passRetry();
  device.whyNoClipboard = undefined;
  await passRetry(2 * retryMs);
  lose();
  await passRetry();

  const firstDesktop = ['open desktop', 'open', 'open', 'open', 'open'];
  assert.deepEqual(events, [...firstDesktop, 'open desktop', 'open', 'open', 'open desktop', 'open']);
});

test('a clipboard that opens after its desktop was lost is closed', async (t) => {
  const { device, events, feature, lose, passRetry } = openDevice(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  device.delay = promise;
  const started = feature.start!() as Promise<void>;
  await setImmediate();
  device.delay = undefined;
  lose();
  resolve();
  await assert.rejects(started, /was closed/);
  await passRetry();

  assert.deepEqual(events, ['open desktop', 'open', 'close clipboard', 'open desktop', 'open']);
});
