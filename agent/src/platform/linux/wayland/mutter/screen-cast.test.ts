/** Tests how the pointer of a GNOME desktop is sent, over a bus that the test plays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variant, type SessionBus } from '../dbus/session-bus.ts';
import { createScreenCast } from './screen-cast.ts';

/** The options of the stream that a GNOME of this version was asked for. */
async function optionsWith(version: string): Promise<unknown> {
  const calls = new Map<string, unknown[]>();
  const bus = {
    async call(_object: unknown, member: string, ...values: unknown[]) {
      calls.set(member, values);
      return '/path';
    },
    async property() {
      if (version === '') throw new Error('no such property');
      return version;
    },
  };
  const area = { x: 0, y: 0, width: 800, height: 600 };
  await createScreenCast(bus as unknown as SessionBus, area);
  return calls.get('RecordArea')!.at(-1);
}

test('the pointer is drawn into the picture by versions of GNOME that crash otherwise, or are not known', async () => {
  const modes = await Promise.all(['43.9', '', '48.4', '50.alpha'].map(optionsWith));

  const [drawn, besidePicture] = [1, 2].map((mode) => ({ 'cursor-mode': variant('u', mode) }));
  assert.deepEqual(modes, [drawn, drawn, besidePicture, besidePicture]);
});
