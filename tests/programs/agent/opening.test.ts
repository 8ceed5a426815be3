/** From consent to a running session: what was opened on the device is closed if a later step fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import { createParticipants } from '@drawbridge/agent/session/participants';
import type { Notice } from '@drawbridge/agent/session/notice';
import { admitOperator, type AdmissionInput } from '@drawbridge/agent/session/admit-operator';
import { prepareAdmission } from '@drawbridge/agent/session/prepare-admission';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';

/** A desktop on which a person agrees; `done` is what was closed, in order. */
function openingWith(notice: Notice, tell: AdmissionInput['tell'], done: string[]): AdmissionInput {
  const desktop: Pick<Desktop, 'ask' | 'onClose' | 'close'> = {
    ask: async () => true,
    onClose() {},
    close: () => void done.push('desktop closed'),
  };
  return {
    grant: {
      confirm: true,
      permissions: ['agent_connect'],
      operator: { name: 'Ann', address: '' },
    } as unknown as AdmissionInput['grant'],
    about: Promise.resolve({ os: 'linux', home: '' }),
    platform: createFakePlatform('desk', { desktop: async () => desktop as Desktop }),
    participants: createParticipants(),
    notice,
    code: '',
    handledKinds: new Set(),
    tell,
    onStop() {},
    onLost() {},
    signal: new AbortController().signal,
    log() {},
  };
}

test('the display is opened when the grant arrives, once the device is described, and closed again', async () => {
  const done: string[] = [];
  const close = (): void => void done.push('closed');
  const desktop = async (): Promise<Desktop> => (done.push('opened'), { close } as Desktop);

  const { about, release } = prepareAdmission(createFakePlatform('desk', { desktop }));

  assert.deepEqual(done, ['opened']);
  assert.deepEqual(await about, { os: 'linux', home: '' });
  release();
  await setImmediate();
  assert.deepEqual(done, ['opened', 'closed']);
});

test('a device without a display is described all the same', async () => {
  const { about, release } = prepareAdmission(createFakePlatform());

  assert.equal((await about).os, 'linux');
  release();
});

/** The admission asks only for the line of its operator. */
const noBanner = { onDesktop: () => Promise.reject(new Error('not used')) };

test('the desktop on which a person agreed is closed if the banner fails', async () => {
  const done: string[] = [];
  const failing = { ...noBanner, show: () => Promise.reject(new Error('no banner')) };

  await assert.rejects(admitOperator(openingWith(failing, () => {}, done)), /no banner/);

  assert.deepEqual(done, ['desktop closed']);
});

test('banner and desktop are closed if the operator cannot be notified, and once when a session ends', async () => {
  const done: string[] = [];
  const notice = { ...noBanner, show: async () => ({ leave: () => void done.push('banner closed') }) };
  const failingTell: AdmissionInput['tell'] = ({ phase }) => {
    if (phase === 'live') throw new Error('the line is gone');
  };

  await assert.rejects(admitOperator(openingWith(notice, failingTell, done)), /the line is gone/);
  assert.deepEqual(done.splice(0), ['banner closed', 'desktop closed']);

  const opened = await admitOperator(openingWith(notice, () => {}, done));
  assert.ok('leave' in opened);
  assert.deepEqual(done, []);
  opened.leave();
  opened.leave();
  assert.deepEqual(done, ['banner closed', 'desktop closed']);
});
