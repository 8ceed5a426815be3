/** Simulated devices over real connections update themselves a few at a time. DRAWBRIDGE_TEST_FLEET sets how many there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxAtOnce, updateRound } from '@drawbridge/server/domain/devices/updates';
import type { TestPerson } from '../../kit/server/account.ts';
import { createReleaseFolder } from '../../kit/agent/release.ts';
import { createEnrolToken } from '../../kit/server/enrolment.ts';
import { eventually } from '../../kit/eventually.ts';
import { startProgram } from '../../kit/process.ts';
import { startService } from '../../kit/server/service.ts';

const size = Number(process.env['DRAWBRIDGE_TEST_FLEET'] ?? 20);
const canary = 4;
/** All at once, if only this counted. */
const perMinute = 1_000;

interface Sample {
  ms: number;
  /** How many devices have begun so far. */
  begun: number;
  updating: number;
  current: number;
}

async function takeSample(owner: TestPerson): Promise<Sample> {
  const { states } = (await owner.call('agents/updates/status', {})).body['data'] as {
    states: { state: string; devices: number }[];
  };
  const count = (name: string): number => states.find(({ state }) => state === name)?.devices ?? 0;
  return {
    ms: performance.now(),
    begun: size - count('outdated'),
    updating: count('updating'),
    current: count('current'),
  };
}

/** The most devices that began within this time. */
const mostWithin = (samples: readonly Sample[], ms: number): number =>
  Math.max(
    ...samples.map((first) => {
      const last = samples.findLast((each) => each.ms - first.ms < ms)!;
      return last.begun - first.begun;
    }),
  );

test('simulated devices update themselves, canaries first, and never more at once than allowed', async (t) => {
  using release = createReleaseFolder();
  await using service = await startService({
    realTime: true,
    env: { DRAWBRIDGE_DOWNLOADS: release.folder },
  });
  const { owner } = await service.account();
  const token = await createEnrolToken(owner, { uses: size });
  const args = ['simulate', '--server', service.testClient.baseUrl, '--token', token, '--json'];
  const more = ['--agents', String(size), '--ramp', String(size / 50)];
  await using simulator = startProgram('agent/src/simulate/main.ts', [...args, ...more], {});
  await simulator.until(new RegExp(`"online":${size},"refused":0`));
  release.offer('9.0.0');
  const samples = [await takeSample(owner)];
  await owner.call('agents/updates/settings/update', { enabled: true, canary, per_minute: perMinute });

  await eventually(
    async () => {
      samples.push(await takeSample(owner));
      return samples.at(-1)!;
    },
    ({ current }) => current === size,
    size * 1_000 + 60_000,
  );

  const beforeFirst = samples.filter(({ current }) => current === 0).map(({ begun }) => begun);
  const most = Math.max(...samples.map(({ updating }) => updating));
  const perRound = mostWithin(samples, (updateRound - 1) * 1_000);
  const seconds = (samples.at(-1)!.ms - samples[0]!.ms) / 1_000;
  t.diagnostic(
    `${size} devices in ${seconds.toFixed(0)} s, at most ${most} at once, ${perRound} began within ${updateRound - 1} s, ${mostWithin(samples, 60_000)} within a minute`,
  );
  assert.equal(samples[0]!.begun, 0);
  assert.equal(Math.max(...beforeFirst), canary);
  assert.ok(most <= maxAtOnce && perRound <= maxAtOnce, `${most} at once, ${perRound} in a round`);
});
