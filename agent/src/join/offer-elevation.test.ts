/** The offer of administrator rights in quick support: who is asked, and what each answer leads to. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { Platform } from '../platform/platform.ts';
import { offerElevation } from './offer-elevation.ts';

const options = { code: '123456789', server: 'https://example.com', ca: 'ca.pem', verbose: true };

/** A machine on which Windows answers with this code; undefined if the person declines there. */
async function offer(answer: string | undefined, code: number | undefined, elevate = false) {
  const started: (readonly string[])[] = [];
  const said: string[] = [];
  const elevation = async () => ({
    run: async (args: readonly string[]) => (started.push(args), code),
  });
  const input = new PassThrough();
  if (answer !== undefined) input.write(`${answer}\n`);
  const result = await offerElevation({
    options: { ...options, elevate },
    platform: { elevation } as unknown as Platform,
    terminal: answer === undefined ? undefined : { input, output: new PassThrough() },
    say: (line) => said.push(line),
  });
  return { result, started, said };
}

const ca = resolve('ca.pem');
const again = ['join', '123456789', '--server', 'https://example.com', '--ca', ca, '--verbose'];

test('a person who agrees gets the program again, and this one ends with its exit code', async () => {
  const { result, started } = await offer('yes', 3);

  assert.deepEqual([result, started], [3, [again]]);
});

test('with --elevate nobody is asked first', async () => {
  const { result, started } = await offer(undefined, 0, true);

  assert.deepEqual([result, started], [0, [again]]);
});

test('without a yes, without a terminal and without the consent of Windows the program goes on', async () => {
  const declined = await offer('no', 0);
  const unattended = await offer(undefined, 0);
  const refused = await offer('yes', undefined);

  assert.deepEqual([declined.result, unattended.result, refused.result], [undefined, undefined, undefined]);
  assert.deepEqual([declined.started, unattended.started], [[], []]);
  assert.match(unattended.said[0]!, /cannot control windows of administrators.*--elevate/);
  assert.match(refused.said.at(-1)!, /did not grant administrator rights/);
});

test('a program that has the rights, or a system without them, offers nothing', async () => {
  const say = (): void => assert.fail('nothing is said');
  for (const platform of [{}, { elevation: async () => undefined }])
    assert.equal(
      await offerElevation({ options, platform: platform as Platform, terminal: undefined, say }),
      undefined,
    );
});
