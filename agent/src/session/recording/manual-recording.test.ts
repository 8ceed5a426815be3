/** When a recording that the operator asked for begins, and that it never begins after the session or the wish has ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as untilSettled } from 'node:timers/promises';
import { createManualRecording } from './manual-recording.ts';

const target = { url: 'https://help.example.com/recordings', token: 'token', key: 'key' };

type Moment = 'asked' | 'announced';

/** What happened after the operator asked for a recording, if this ended it while the person was asked or told. */
async function eventsOf(ending?: 'the session' | 'the wish', moment?: Moment): Promise<string[]> {
  const events: string[] = [];
  let isLive = true;
  const reach = (reached: Moment): void => {
    if (reached !== moment) return;
    if (ending === 'the session') isLive = false;
    else recording.switchTo(undefined);
  };
  const recording = createManualRecording({
    grant: { confirm: true, operator: { name: 'Ann', address: '' }, permissions: ['agent_connect'] },
    recording: { begin: () => void events.push('begun'), stop: async () => {} },
    isLive: () => isLive,
    ask: async () => (reach('asked'), true),
    async announce(isRecorded) {
      events.push(isRecorded ? 'announced' : 'withdrawn');
      if (isRecorded) reach('announced');
    },
    refuse: (message) => void events.push(message),
  });
  recording.switchTo(target);
  await untilSettled();
  return events;
}

test('a recording begins after the person agreed and was told', async () => {
  assert.deepEqual(await eventsOf(), ['announced', 'begun']);
});

test('nothing is recorded once the session is over', async () => {
  assert.deepEqual(await eventsOf('the session', 'asked'), []);
  assert.deepEqual(await eventsOf('the session', 'announced'), ['announced']);
});

test('nothing is recorded once the operator no longer wants it', async () => {
  assert.deepEqual(await eventsOf('the wish', 'asked'), ['withdrawn']);
  assert.deepEqual(await eventsOf('the wish', 'announced'), ['announced', 'withdrawn']);
});
