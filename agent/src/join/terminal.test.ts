/** Tests of questions in the terminal when there is no display. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { NotPossible, type Platform } from '../platform/platform.ts';
import { withTerminal } from './terminal.ts';

const bare = {
  desktop: async () => {
    throw new NotPossible('There is no screen.');
  },
} as Partial<Platform> as Platform;

test('only a typed yes allows it, and everything else declines', async () => {
  for (const [typed, wanted] of [
    ['yes', true],
    ['Y', true],
    ['', false],
    ['no', false],
    ['yes please', false],
  ] as const) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const desktop = await withTerminal(bare, { input, output }).desktop();

    const asked = desktop.ask('Ann wants to see the files', 30);
    input.write(`${typed}\n`);

    assert.equal(await asked, wanted, typed);
    assert.match(String(output.read()), /Ann wants to see the files/);
  }
});

test('a question that is withdrawn is declined, and no other display function is simulated', async () => {
  const desktop = await withTerminal(bare, { input: new PassThrough(), output: new PassThrough() }).desktop();
  const gone = new AbortController();

  const asked = desktop.ask('Ann wants to see the files', 30, gone.signal);
  gone.abort();

  assert.equal(await asked, false);
  await assert.rejects(desktop.banner('Ann is connected'), /There is no screen/);
  await assert.rejects(desktop.capture(), /There is no screen/);
});

test('without a terminal nobody is asked', async () => {
  await assert.rejects(withTerminal(bare, undefined).desktop(), /There is no screen/);
});
