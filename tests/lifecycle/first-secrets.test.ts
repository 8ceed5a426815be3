/** The sign-in link and the API key of the first owner: printed by the first start, and by nothing after it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDataFolder, launchServer } from './launched-server.ts';

const countOf = (secret: string, text: string): number => text.split(secret).length - 1;

test('the first start prints the secrets of the owner exactly once, and the next start does not print any', async () => {
  using data = createDataFolder();
  // The most detailed log, in case a secret is written there.
  const env = { DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_LOG_LEVEL: 'trace' };
  await using first = await launchServer(env);
  first.send('SIGTERM');
  const printed = await first.ended;
  const link = /Sign-in link \(one use, 24 hours\):\s+(\S+)/.exec(printed.out)?.[1];

  await using second = await launchServer(env);
  const groups = await second.testClient.sdkClient(first.apiKey).request('groups/list', {});
  second.send('SIGTERM');
  const printedAgain = await second.ended;

  assert.ok(first.apiKey && link);
  const linkSecret = new URL(link).pathname.split('/').at(-1)!;
  for (const secret of [first.apiKey, linkSecret]) {
    assert.deepEqual([countOf(secret, printed.out), countOf(secret, printed.err)], [1, 0]);
    assert.equal(countOf(secret, printedAgain.out + printedAgain.err), 0);
  }
  assert.doesNotMatch(printedAgain.out, /API key|Sign-in link|account/);
  assert.equal(groups.http, 200, 'the key of the first start still works');
});
