/** The command `drawbridge-agent approver` as a separate program: what it accepts, keeps and refuses. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createDeviceKey } from '@drawbridge/agent/uplink/keys';
import { formatApproverKey } from '@drawbridge/contract/session/approval';
import { nobody } from '../../../kit/display/desktop-of-another-user.ts';
import { eventually } from '../../../kit/eventually.ts';
import { startProgram, type Program } from '../../../kit/process.ts';
import type { TestPerson } from '../../../kit/server/account.ts';
import { createEnrolToken, listDevices } from '../../../kit/server/enrolment.ts';
import { startService, type TestService } from '../../../kit/server/service.ts';

const newKey = (): string => formatApproverKey(createDeviceKey().publicKey);

describe('drawbridge-agent approver', () => {
  let service: TestService;
  let owner: TestPerson;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-approver-'));
  const state = join(folder, 'state');
  const file = join(state, 'approvers.json');
  before(async () => {
    service = await startService({ realTime: true });
    ({ owner } = await service.account());
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (args: string[], prefix: string[] = []): Program =>
    startProgram(
      'agent/src/main.ts',
      ['agent', ...args],
      { HOME: folder, TMPDIR: folder, DRAWBRIDGE_AGENT_DATA: state, DRAWBRIDGE_AGENT_HARMLESS: '1' },
      prefix,
    );

  async function approver(args: string[], prefix?: string[]): Promise<{ exit: number | null; said: string }> {
    await using program = start(['approver', ...args], prefix);
    return { exit: await program.gone, said: program.output() };
  }

  /** Resolves once it is connected; its device. */
  async function run(args: string[] = []): Promise<{ agent: Program; id: number }> {
    const agent = start(['run', ...args]);
    await agent.until(/connected as device/);
    const [device] = await eventually(
      () => listDevices(owner),
      ([only]) => only?.online === true,
    );
    return { agent, id: device!.id };
  }

  test('refuses to name approvers where there is no agent', async () => {
    const { exit, said } = await approver(['add', 'second@example.com', newKey()]);

    assert.notEqual(exit, 0);
    assert.match(said, /There is no agent in/);
  });

  test('names approvers of a running agent, which are kept over a restart, until they are removed', async () => {
    const first = await run([
      '--server',
      service.testClient.baseUrl,
      '--token',
      await createEnrolToken(owner),
    ]);
    await using _first = first.agent;
    const key = newKey();
    const refusal = async (): Promise<string> =>
      (await owner.call('agents/reboot', { id: first.id, safe: false })).body['error']?.message ?? '';

    const added = await approver(['add', 'second@example.com', key]);

    assert.equal(added.exit, 0, added.said);
    assert.match(added.said, /signature of one of 1 approver\./);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(await refusal(), /four eyes/);
    await first.agent.end('SIGKILL');
    const second = await run();
    await using _second = second.agent;
    assert.equal(second.id, first.id);
    assert.match(await refusal(), /four eyes/);
    assert.match((await approver(['list'])).said, new RegExp(`^${key}  second@example\\.com$`, 'm'));
    const removed = await approver(['remove', 'second@example.com']);
    assert.deepEqual([removed.exit, /Four eyes are off/.test(removed.said)], [0, true]);
    assert.doesNotMatch(await refusal(), /four eyes/);
  });

  test('refuses what would change nothing, or not what was meant, and says why', async () => {
    const key = newKey();
    assert.equal((await approver(['add', 'second@example.com', key])).exit, 0);
    const earlier = readFileSync(file, 'utf8');
    const refused: [string[], RegExp][] = [
      [['add', 'second@example.com', newKey()], /has an approver with this name or this key already/],
      [['add', 'third@example.com', key], /has an approver with this name or this key already/],
      [['add', 'third@example.com', 'dba1_short'], /not the key of an approver/],
      [['remove', 'third@example.com'], /has no approver third@example\.com/],
      [['add', 'third@example.com'], /Use: approver add NAME KEY/],
    ];
    await Promise.all(
      refused.map(async ([args, reason]) => {
        const { exit, said } = await approver(args);
        assert.notEqual(exit, 0, args.join(' '));
        assert.match(said, reason);
      }),
    );
    assert.equal(readFileSync(file, 'utf8'), earlier);
    writeFileSync(file, '[{');
    const damaged = await approver(['list']);
    assert.notEqual(damaged.exit, 0);
    assert.match(damaged.said, /cannot be read from/);
    writeFileSync(file, earlier);
  });

  test(
    'lets no other user read or change them',
    { skip: process.getuid?.() !== 0 && 'needs root' },
    async () => {
      const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
      const earlier = readFileSync(file, 'utf8');
      await Promise.all(
        [['list'], ['add', 'eve@example.com', newKey()]].map(async (args) => {
          const { exit, said } = await approver(args, asNobody);
          assert.notEqual(exit, 0, said);
          assert.match(said, /EACCES|permission denied/i);
        }),
      );
      assert.equal(readFileSync(file, 'utf8'), earlier);
    },
  );
});
