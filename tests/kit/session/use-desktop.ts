/** What an operator does on a desktop of the tests, whose window records it. */
import assert from 'node:assert/strict';
import { encodeKey, encodeWheel } from '@drawbridge/contract/session/binary-frames';
import type { RecordingWindow } from '../display/recording-window.ts';
import { eventually } from '../eventually.ts';
import { pointTo } from './desktop-session.ts';
import type { Operator } from './operator.ts';

type Recorded = Pick<RecordingWindow, 'events'>;

export const pressKey = (ann: Operator, code: string, key: string): void =>
  [true, false].forEach((down) => ann.send('key', encodeKey({ down, code, key })));

export const recordedOn = (desktop: Recorded, line: string): Promise<unknown> =>
  eventually(desktop.events, (events) => events.includes(line));

/** Without a mouse of its own, a device notices the pointer only some time after it was created. */
const wakePointer = (ann: Operator, desktop: Recorded): Promise<unknown> =>
  eventually(
    () => {
      pointTo(ann, 300, 200, 0);
      pointTo(ann, 301, 200, 0);
      return desktop.events();
    },
    (events) => events.includes('pointer 301 200'),
  );

/** Types letters of every script, drags, scrolls, and copies in both directions. */
export async function useEverything(ann: Operator, desktop: Recorded): Promise<void> {
  for (const letter of 'aB!äß€ж漢') pressKey(ann, 'KeyA', letter);
  await recordedOn(desktop, 'text aB!äß€ж漢');
  await wakePointer(ann, desktop);
  pointTo(ann, 300, 200, 0, 1);
  pointTo(ann, 350, 220, 1);
  pointTo(ann, 420, 250, 1, 0);
  await recordedOn(desktop, 'drag 120 50');
  ann.send('wheel', encodeWheel({ x: 420, y: 250, deltaX: 0, deltaY: 120 }));
  await recordedOn(desktop, 'scroll 0 1');
  ann.sendMessage('clipboard', { text: 'from the operator ß漢' });
  await recordedOn(desktop, 'clipboard from the operator ß漢');
  pressKey(ann, 'F9', 'F9');
  const { text } = await ann.until('clipboard', (each) => each.text !== '');
  assert.equal(text, 'from the device äж漢');
}
