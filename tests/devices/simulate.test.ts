/** The fleet simulator, as evaluators of the product run it: real processes against a real server. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { TestPerson } from '../kit/server/account.ts';
import { listDevices, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { startProgram, type Program } from '../kit/process.ts';
import { eventually } from '../kit/eventually.ts';

describe('simulated devices', { concurrency: true }, () => {
  let service: TestService;
  before(async () => {
    service = await startService({ realTime: true });
  });
  after(() => service[Symbol.asyncDispose]());

  async function simulate(...args: string[]): Promise<{ owner: TestPerson; simulator: Program }> {
    const { owner } = await service.account();
    const token = await createEnrolToken(owner, { uses: 200 });
    const all = ['simulate', '--server', service.testClient.baseUrl, '--token', token, '--json', ...args];
    return { owner, simulator: startProgram('agent/src/simulate/main.ts', all, {}) };
  }
  const areOnline = (owner: TestPerson, count: number): Promise<string[]> =>
    eventually(
      () => onlineOf(owner),
      (online) => online.length === count,
    );
  const onlineOf = async (owner: TestPerson): Promise<string[]> =>
    (await listDevices(owner)).filter(({ online }) => online).map(({ name }) => name);

  test('the manual of the agent explains every option and every script', async () => {
    await using program = startProgram('agent/src/simulate/main.ts', ['simulate', '--help'], {});
    await program.until(/Every run creates new devices/);
    const manual = await readFile(new URL('../../docs/agent.md', import.meta.url), 'utf8');

    const options = [...program.output().matchAll(/--[a-z-]+/g)].map(([option]) => option);
    const names = [...program.output().matchAll(/(?:--script NAME)?\s+([a-z-]+): /g)].map(
      ([, name]) => name!,
    );
    assert.ok(options.length >= 9 && names.includes('half-open'));
    for (const option of options) assert.ok(manual.includes(`| \`${option}`), option);
    for (const name of names) assert.ok(manual.includes(`| \`${name}\` |`), name);
  });

  test('two hundred connect, are listed by name, answer commands, and leave when asked', async () => {
    const { owner, simulator } = await simulate('--agents', '200', '--ramp', '2');
    await using _ended = simulator;
    await simulator.until(/"online":200,"refused":0,"arrivals":200/);
    const names = await areOnline(owner, 200);
    const { id } = (await listDevices(owner))[0]!;
    const locked = await owner.call('agents/lock', { id });

    assert.equal(new Set(names).size, 200);
    assert.deepEqual(locked.body, { status: 0 });
    assert.equal(await simulator.end('SIGTERM'), 0);
    await areOnline(owner, 0);
  });

  test('they leave when the program that started them is killed', async () => {
    const { owner, simulator } = await simulate('--agents', '20', '--ramp', '0');
    await areOnline(owner, 20);

    await simulator.end('SIGKILL');

    await areOnline(owner, 0);
    assert.doesNotMatch(simulator.output(), /Error|EPIPE/);
  });

  test('those that flap reconnect repeatedly', async () => {
    const { simulator } = await simulate('--agents', '10', '--ramp', '0', '--script', 'flapping');
    await using _ended = simulator;

    await simulator.until(/"arrivals":(1[2-9]|[2-9]\d)/);

    assert.doesNotMatch(simulator.output(), /"refused":[1-9]/);
  });

  test('those that fall silent without disconnecting are detected within thirty seconds', async () => {
    const { owner, simulator } = await simulate('--agents', '5', '--ramp', '0', '--script', 'half-open');
    await using _ended = simulator;
    await areOnline(owner, 5);

    const some = await eventually(
      () => onlineOf(owner),
      (online) => online.length < 5,
      36_000,
    );

    assert.ok(some.length < 5);
  });

  test('rogue ones get in, and what they send is truncated and sanitised', async () => {
    const { owner, simulator } = await simulate('--agents', '5', '--ramp', '0', '--script', 'rogue');
    await using _ended = simulator;
    await areOnline(owner, 5);
    const devices = await listDevices(owner);
    const cpus = await eventually(
      () =>
        Promise.all(
          devices.map(async ({ id }) => {
            const { body } = await owner.call('agents/info', { agent_id: id });
            return (body['data'] as { hardware: { CPU: string } }).hardware.CPU;
          }),
        ),
      (all) => all.every((cpu) => cpu !== ''),
    );

    for (const text of [...devices.map(({ name }) => name), ...cpus]) {
      assert.doesNotMatch(text, /[\u0000\u202e]/);
      assert.ok(text.length <= 1_024, `${text.length} characters`);
    }
  });
});
