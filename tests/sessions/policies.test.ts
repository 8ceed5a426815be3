/** What the policy of a device means for sessions that begin, and for links: as the server sees it, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Policy } from '@drawbridge/contract/policy';
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { TestPerson } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  joinRelay,
  openSessionLink,
  postToSession,
  randomKey,
  readRefusal,
  linkCode,
  startFakeDevice,
} from '../kit/session/session-ends.ts';
import { eventually } from '../kit/eventually.ts';

const limited = ['agent_clipboard', 'agent_file_transfer', 'agent_terminal_mode'];

for (const { kind, skip } of databases)
  describe(`policies in sessions on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /** `version`: of the uplink; since version 3, devices enforce their policy. */
    async function fixture(version = 3) {
      const account = await service.account();
      const { owner } = account;
      const device = await startFakeDevice(
        service.testClient.baseUrl,
        await createEnrolToken(owner),
        version,
      );
      await waitUntilOnline(owner, device.id);
      const set = (policy: Partial<Policy>) =>
        owner.call('agents/policy/update', { agent_id: device.id, ...policy });
      return { account, owner, device, set };
    }
    const link = async (person: TestPerson, agent_id: number, more = {}): Promise<string> =>
      (await person.call('agents/connect', { agent_id, ...more })).body['data'].url;
    const limitedOf = (permissions: readonly string[]) =>
      limited.filter((each) => permissions.includes(each));

    for (const [version, expected] of [
      [3, ['agent_file_transfer']],
      [2, []],
    ] as const)
      test(`what the policy forbids is not granted: a device with version ${version} of the uplink`, async () => {
        const { owner, device, set } = await fixture(version);
        await using _device = device;
        const unlimited = await openSessionLink(service, await link(owner, device.id));
        await set({ clipboard: 'off', terminal: 'off', files: 'from_device', direct: 'off' });

        const opened = await openSessionLink(service, await link(owner, device.id));

        const [first, grant] = device.grants;
        assert.deepEqual(limitedOf(unlimited.permissions), limited);
        assert.ok(first!.ice);
        assert.deepEqual(limitedOf(opened.permissions), expected);
        assert.deepEqual(limitedOf(grant!.permissions), expected);
        assert.equal(grant!.ice, undefined);
      });

    test('with `always` everyone is asked, also those who need not ask, and running sessions end', async () => {
      const { owner, device, set } = await fixture();
      await using _device = device;
      const opened = await openSessionLink(service, await link(owner, device.id));
      await using operator = joinRelay(opened);
      await operator.paired;
      await set({ confirm: 'ask' });
      await openSessionLink(service, await link(owner, device.id));
      assert.equal(device.grants.at(-1)!.confirm, false);

      await set({ confirm: 'always' });

      assert.equal((await operator.closed).code, 4_005);
      await openSessionLink(service, await link(owner, device.id));
      assert.equal(device.grants.at(-1)!.confirm, true);
    });

    test('recording `always` and `off` count more than the link, the account and the operator', async () => {
      const { owner, device, set } = await fixture();
      await using _device = device;
      const recorded = async (video?: boolean): Promise<[boolean, boolean, boolean]> => {
        const url = await link(owner, device.id, video === undefined ? {} : { video });
        const shown = JSON.parse((await postToSession(service, 'show', { code: linkCode(url) })).text);
        const opened = await openSessionLink(service, url);
        assert.equal(shown.record, opened.record);
        return [opened.record, opened.may_record === true, device.grants.at(-1)!.record !== undefined];
      };
      assert.deepEqual(await recorded(), [false, true, false]);

      await set({ recording: 'always' });
      for (const video of [undefined, false]) assert.deepEqual(await recorded(video), [true, false, true]);
      await set({ recording: 'off' });
      for (const video of [undefined, true]) assert.deepEqual(await recorded(video), [false, false, false]);
      await owner.call('account/update', { record: true });
      assert.deepEqual(await recorded(), [false, false, false]);
    });

    test('an operator cannot start a recording that the policy forbids', async () => {
      const { owner, device, set } = await fixture();
      await using _device = device;
      const { session, secret } = await openSessionLink(service, await link(owner, device.id));
      await set({ recording: 'off' });

      const refused = await postToSession(service, 'record', { session, secret, on: true });

      assert.deepEqual(readRefusal(refused), [403, 'forbidden']);
      assert.ok(device.commands.every(({ name }) => name !== 'session_record'));
    });

    test('a session that is not recorded ends when the policy requires recordings, and one that resumes is recorded', async () => {
      const { owner, device, set } = await fixture();
      await using _device = device;
      const opened = await openSessionLink(service, await link(owner, device.id));
      await using operator = joinRelay(opened);
      await operator.paired;

      await set({ recording: 'always' });
      const { reason } = await operator.closed;

      assert.match(reason, /must now be recorded/);
    });

    test('a session goes on without what the policy forbids now if the device enforces it, and otherwise ends', async () => {
      const [modern, older] = [await fixture(3), await fixture(2)];
      await using _modern = modern.device;
      await using _older = older.device;
      const start = async ({ owner, device }: typeof modern) => {
        const opened: OpenReply = await openSessionLink(service, await link(owner, device.id));
        const operator = joinRelay(opened);
        await operator.paired;
        return { opened, operator };
      };
      const [going, ending] = [await start(modern), await start(older)];

      await modern.set({ terminal: 'off' });
      await older.set({ terminal: 'off' });
      assert.equal((await ending.operator.closed).code, 4_005);

      const told = await eventually(
        () => modern.device.commands.findLast(({ name }) => name === 'policy'),
        (command) => (command?.input['policy'] as Policy | undefined)?.terminal === 'off',
      );
      assert.ok(told);
      assert.ok(older.device.commands.every(({ name }) => name !== 'policy'));
      assert.equal(going.operator.socket.readyState, going.operator.socket.OPEN);
      const { session, secret } = going.opened;
      const resumed = await postToSession(service, 'resume', { session, secret, key: randomKey() });
      const { permissions } = JSON.parse(resumed.text) as OpenReply;
      assert.ok(!permissions.includes('agent_terminal_mode'));
      going.operator.socket.terminate();
    });

    test('a device is told that an operator used a one-time link, which policies of every level forbid', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const id = await account.group();
      await owner.call('groups/agent/insert', { id, agent_id: device.id });
      const onetimeOf = async (): Promise<string | undefined> =>
        (await owner.call('agents/info', { agent_id: device.id })).body['data'].onetime_url;
      const path = new URL((await onetimeOf())!).pathname;
      const { headers } = await service.testClient.send({ method: 'POST', path, body: '' });
      await openSessionLink(service, String(headers['location']));
      await openSessionLink(service, await link(owner, device.id));
      const onetime = device.commands
        .filter(({ name }) => name === 'session')
        .map(({ input }) => input['onetime']);
      assert.deepEqual(onetime, [true, false]);

      await owner.call('account/policy/update', { onetime_url: 'forbid' });
      assert.equal(await onetimeOf(), undefined);
      await owner.call('groups/policy/update', { id, onetime_url: 'allow' });
      assert.notEqual(await onetimeOf(), undefined);
      await owner.call('agents/policy/update', { agent_id: device.id, onetime_url: 'forbid' });
      assert.equal(await onetimeOf(), undefined);
    });
  });
