/** What operators are told while the screen cannot be shown, and that it is shown as soon as it can be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Capture, Desktop } from '@drawbridge/agent/platform/desktop';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';
import { startDisplay } from '../../../kit/display/display.ts';
import { skipWithout } from '../../../kit/requirements.ts';
import { startViewer } from '../../../kit/session/viewer.ts';

const skip = skipWithout('Xvfb');
const [width, height] = [640, 480];

test('without a display a sentence says so', async () => {
  const refuse = async (): Promise<never> => {
    throw new NotPossible('Nobody is using a screen on this device.');
  };

  await using viewer = await startViewer({}, { desktop: refuse });

  await viewer.untilRefused(/^Nobody is using a screen/);
});

test('a screen that cannot be captured at first is shown as soon as it can be', { skip }, async () => {
  await using display = await startDisplay(width, height);
  let isLocked = true;
  const desktop = async (): Promise<Desktop> => {
    const opened = await openDesktop();
    const capture = async (): Promise<Capture> => {
      if (isLocked) throw new NotPossible('The screen is locked.');
      return opened.capture();
    };
    return { ...opened, capture };
  };
  await using viewer = await startViewer({}, { desktop });
  await viewer.untilRefused(/^The screen is locked/);

  isLocked = false;

  await viewer.untilSame(await display.pixels());
});

test('a reason without a sentence of its own is in the log, once, and the operator is told so, once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reason = new Error('BadMatch 1');
  const lines: string[] = [];
  const said: string[] = [];
  const desktop = async (): Promise<never> => {
    throw reason;
  };
  const context = createFakeFeatureContext({ desktop });
  Object.assign(context, {
    permissions: new Set(['agent_connect']),
    log: (line: string) => void lines.push(line),
    refuse: (_: string, message: string) => void said.push(message),
  });
  const feature = screenFeature(context);
  await feature.start!();
  for (const next of ['BadMatch 1', 'BadMatch 2', 'BadMatch 2']) {
    reason = new Error(next);
    t.mock.timers.tick(1_000);
    await setImmediate();
  }

  assert.deepEqual(said, [
    'The screen cannot be shown at the moment. The log of the agent on the device says why, and the agent tries again every second.',
  ]);
  assert.deepEqual(lines, [
    'the screen cannot be shown: BadMatch 1',
    'the screen cannot be shown: BadMatch 2',
  ]);
});

/** A device whose desktops open only when the test says so. */
function openSlowDevice() {
  const events: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const desktop: Partial<Desktop> = {
    onLayout: () => {},
    onClose: () => {},
    resize: async (...size) => void events.push(`resize ${size.join(' ')}`),
    restoreSize: async () => {},
    close: () => void events.push('close desktop'),
  };
  const context = createFakeFeatureContext({
    async desktop() {
      events.push('open desktop');
      await promise;
      return desktop as Desktop;
    },
  });
  Object.assign(context, { permissions: new Set(['agent_connect']) });
  return { events, feature: screenFeature(context), open: resolve };
}

test('a desktop that opens after the end of the session is closed', async () => {
  const { events, feature, open } = openSlowDevice();
  const started = feature.start!();
  await setImmediate();
  await feature.stop();

  open();
  await started;

  assert.deepEqual(events, ['open desktop', 'close desktop']);
});

test('a change of the size uses the desktop that is being opened for the picture', async () => {
  const { events, feature, open } = openSlowDevice();
  const started = feature.start!();
  await setImmediate();
  const resized = feature.handlers.resize!({ width, height });

  open();
  await Promise.all([started, resized]);
  await feature.stop();

  assert.deepEqual(events, ['open desktop', `resize ${width} ${height}`, 'close desktop']);
});
