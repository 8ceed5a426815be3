/** The links that open a connection: single-use, permanent and one-time, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { digestOf } from '@drawbridge/server/edges/random';
import { verifyPassword } from '@drawbridge/server/edges/passwords';
import type { TestPerson } from '../../kit/server/account.ts';
import { databases } from '../../kit/server/database.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

const password = 'correct horse 7';

for (const { kind, skip } of databases)
  describe(`links on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    const codeIn = (url: string): string => {
      const prefix = `${service.server.config.publicUrl}/c/`;
      assert.ok(url.startsWith(prefix));
      assert.match(url.slice(prefix.length), /^[\w-]{43}$/);
      return url.slice(prefix.length);
    };
    const linkTo = async (person: TestPerson, params: object): Promise<string> =>
      codeIn((await person.call('agents/connect', params as never)).body['data'].url);
    const use = async (code: string) =>
      service.server.store.change('links/consume', { digest: digestOf(code) });
    const works = async (code: string): Promise<boolean> => !isFault(await use(code));
    const info = async (person: TestPerson, agent_id: number) =>
      (await person.call('agents/info', { agent_id })).body['data'] as Record<string, unknown>;
    const update = (person: TestPerson, id: number, permanent_url: object) =>
      person.call('agents/update', { id, permanent_url });
    let paths = 0;
    const uniquePath = (): string => `desk-${(paths += 1)}`;

    test('each link to a device is a fresh one, and it opens once', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const [first, second] = [
        await linkTo(account.owner, { agent_id: id }),
        await linkTo(account.owner, { agent_id: id }),
      ];

      assert.notEqual(first, second);
      assert.deepEqual([await works(first), await works(first)], [true, false]);
      assert.equal(await works(second), true);
    });

    test('a link records who asked for it, for which device, and whether to record', async () => {
      const account = await service.account();
      const { id, deviceId } = await account.agent();
      const technician = await account.member([
        { type: 'agent', agentId: id, permissions: ['agent_connect'] },
      ]);
      const about = {
        accountId: account.id,
        memberId: technician.id,
        origin: 'api',
        agentId: id,
        invitationId: null,
      };

      const [on, off, open] = [
        await linkTo(technician, { device_id: deviceId, video: true }),
        await linkTo(technician, { agent_id: id, device_id: 1, video: false }),
        await linkTo(technician, { agent_id: id }),
      ];

      assert.deepEqual(await use(on), { ...about, video: true });
      assert.deepEqual(await use(off), { ...about, video: false });
      assert.deepEqual(await use(open), { ...about, video: null });
    });

    test('a link to a device is valid for five minutes and not a second longer', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const [early, late] = [
        await linkTo(account.owner, { agent_id: id }),
        await linkTo(account.owner, { agent_id: id }),
      ];

      service.advance(299);
      assert.equal(await works(early), true);
      service.advance(1);

      assert.equal(await works(late), false);
    });

    test('a link to an invitation opens once too, lasts five minutes and ends with the invitation', async () => {
      const { owner } = await service.account();
      const connection_id = (await owner.call('support/create')).body['data'].id as number;
      const link = async () =>
        codeIn((await owner.call('support/connect', { connection_id })).body['data'].url);
      const [used, late] = [await link(), await link()];

      assert.deepEqual([await works(used), await works(used)], [true, false]);
      service.advance(300);
      assert.equal(await works(late), false);
      const last = await link();
      await owner.call('support/close', { connection_id });

      assert.equal(await works(last), false);
    });

    test('a link ends with its device, and with the technician who asked for it', async () => {
      const account = await service.account();
      const [gone, kept] = [await account.agent(), await account.agent()];
      const technician = await account.member([
        { type: 'agent', agentId: kept.id, permissions: ['agent_connect'] },
      ]);
      const [toGone, byLeaver] = [
        await linkTo(account.owner, { agent_id: gone.id }),
        await linkTo(technician, { agent_id: kept.id }),
      ];

      await account.owner.call('agents/logout', { id: gone.id });
      await account.owner.call('team/member/remove', { email: technician.email });

      assert.deepEqual([await works(toGone), await works(byLeaver)], [false, false]);
    });

    test('a permanent link is absent until it is enabled, and again when it is disabled', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const path = uniquePath();
      assert.equal('permanent_url' in (await info(account.owner, id)), false);

      const { http, body } = await update(account.owner, id, { enable: true, url: path, password });

      assert.deepEqual([http, body.status], [200, 0]);
      const url = `${service.server.config.publicUrl}/p/${path}`;
      assert.equal(body['data'].permanent_url, url);
      assert.equal((await info(account.owner, id))['permanent_url'], url);
      assert.equal((await account.owner.call('agents/list')).body['data'][0].permanent_url, url);
      const disabled = await update(account.owner, id, { enable: false });
      assert.equal('permanent_url' in disabled.body['data'], false);
      const again = await update(account.owner, id, { enable: true });
      assert.equal(again.body['data'].permanent_url, url);
    });

    test('a permanent link needs a password to be enabled, unless one is set', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      const bare = await update(account.owner, id, { enable: true, url: uniquePath() });
      assert.deepEqual(
        [bare.http, bare.body.status, bare.body.error?.field],
        [400, 21, 'permanent_url.password'],
      );
      assert.equal('permanent_url' in (await info(account.owner, id)), false);
      await update(account.owner, id, { password });
      const enabled = await update(account.owner, id, { enable: true, url: uniquePath() });

      assert.deepEqual([enabled.http, enabled.body.status], [200, 0]);
    });

    test('a weak password is refused with 21 and changes nothing', async () => {
      const account = await service.account();
      const { id } = await account.agent({ name: 'before' });

      for (const weak of [
        '',
        'short1',
        'abcdefg',
        '1234567',
        'abcdefgh',
        '12345678',
        '        ',
        'пароль1',
      ]) {
        const answer = await account.owner.call('agents/update', {
          id,
          name: 'after',
          permanent_url: { enable: true, url: uniquePath(), password: weak },
        });
        assert.deepEqual(
          [answer.http, answer.body.status, answer.body.error?.code],
          [400, 21, 'invalid_password'],
          weak,
        );
      }

      const unchanged = await info(account.owner, id);
      assert.deepEqual([unchanged['name'], 'permanent_url' in unchanged], ['before', false]);
      for (const strong of ['abcdefg1', 'пароль12', '密码密码密码1a', '١٢٣٤٥٦٧a'])
        assert.equal((await update(account.owner, id, { password: strong })).body.status, 0, strong);
    });

    test('the path of a permanent link is 3 to 64 lower-case letters, digits and hyphens', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const wrong = [
        '',
        'ab',
        'a'.repeat(65),
        'Desk',
        'my desk',
        'desk/1',
        'desk_1',
        'стол',
        'desk.',
        'a%20b',
        ' abc',
      ];

      for (const url of wrong) {
        const { http, body } = await update(account.owner, id, { enable: true, url, password });
        assert.deepEqual([http, body.status, body.error?.field], [400, 1, 'permanent_url.url'], url);
      }
      for (const url of ['a-1', '7'.repeat(64), '---'])
        assert.equal((await update(account.owner, id, { enable: true, url, password })).body.status, 0, url);
    });

    test('a path of another device of the server is taken, also across accounts', async () => {
      const [mine, theirs] = [await service.account(), await service.account()];
      const [desk, lamp, foreign] = [await mine.agent(), await mine.agent(), await theirs.agent()];
      const path = uniquePath();
      await update(mine.owner, desk.id, { enable: true, url: path, password });

      const refused = [
        await update(mine.owner, lamp.id, { enable: true, url: path, password }),
        await update(theirs.owner, foreign.id, { enable: true, url: path, password }),
      ];

      for (const { http, body } of refused)
        assert.deepEqual([http, body.status, body.error?.field], [400, 7, 'permanent_url.url']);
      assert.deepEqual(refused[0]!.body, refused[1]!.body);
      assert.equal('permanent_url' in (await info(theirs.owner, foreign.id)), false);
      const same = await update(mine.owner, desk.id, { url: path });
      assert.equal(same.body.status, 0);
    });

    test('a path is free again when its device takes another one or is removed', async () => {
      const account = await service.account();
      const [desk, lamp, chair] = [await account.agent(), await account.agent(), await account.agent()];
      const [first, second] = [uniquePath(), uniquePath()];
      await update(account.owner, desk.id, { enable: true, url: first, password });

      await update(account.owner, desk.id, { url: second });
      assert.equal(
        (await update(account.owner, lamp.id, { enable: true, url: first, password })).body.status,
        0,
      );
      await account.owner.call('agents/logout', { id: desk.id });

      assert.equal(
        (await update(account.owner, chair.id, { enable: true, url: second, password })).body.status,
        0,
      );
    });

    test('paths of the service itself are taken, and the refusal says that they are reserved', async () => {
      const account = await service.account();
      const { id } = await account.agent();

      for (const url of [
        'admin',
        'api',
        'login',
        'healthz',
        'readyz',
        'metrics',
        'docs',
        'panel',
        'support',
      ]) {
        const { http, body } = await update(account.owner, id, { enable: true, url, password });
        assert.deepEqual([http, body.status, body.error?.code], [400, 7, 'path_taken'], url);
        assert.equal(
          body.error?.message,
          `The path "${url}" is reserved for the service. Choose another one.`,
        );
      }
    });

    test('a password of a link that is too long or too weak says which', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const refusal = async (given: string) => {
        const { http, body } = await update(account.owner, id, { enable: true, password: given });
        return [http, body.status, body.error?.field, body.error?.message];
      };
      const field = 'permanent_url.password';
      const weak = 'The password needs at least 8 characters with both letters and digits.';

      const long = 'The password must have at most 256 characters.';
      assert.deepEqual(await refusal(`${'a'.repeat(256)}1`), [400, 21, field, long]);
      assert.deepEqual(await refusal('abc1'), [400, 21, field, weak]);
      assert.deepEqual(await refusal('abcdefgh'), [400, 21, field, weak]);
    });

    test('a permanent link without a chosen path uses the number of the device', async () => {
      const account = await service.account();
      const { id, deviceId } = await account.agent();

      const { body } = await update(account.owner, id, { enable: true, password });

      assert.equal(body['data'].permanent_url, `${service.server.config.publicUrl}/p/${deviceId}`);
    });

    test('the password of a link is stored as a slow hash: it is in no response, no log line and no audit row', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const canary = 'Canary-4-the-link';
      const answers = [
        await update(account.owner, id, { enable: true, url: uniquePath(), password: canary }),
        await update(account.owner, id, { enable: true, url: 'admin', password: canary }),
        await account.owner.call('agents/info', { agent_id: id }),
        await account.owner.call('agents/list'),
        await account.owner.call('audit/list'),
      ];

      const output = JSON.stringify(answers.map((each) => each.body)) + service.logged.join('');
      assert.equal(output.includes(canary), false);
      const viewer = { accountId: account.id, memberId: account.owner.id };
      const stored = (await service.server.store.agents.find(viewer, { id }))!.permanentPassword!;
      assert.match(stored, /^\$argon2id\$/);
      assert.equal(output.includes(stored), false);
      assert.equal(await verifyPassword(canary, stored, 'tests'), 'right');
      const [row] = answers.at(-1)!.body['data'] as { operation: string; input: unknown }[];
      assert.deepEqual(
        [row!.operation, row!.input],
        ['agents/update', { id, permanent_url: { enable: true, url: 'admin' } }],
      );
    });

    test('the one-time link of a device changes at each boundary of 45 seconds and not within', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      service.advance(45 - (service.server.store.now() % 45));
      const onetime = async () => (await info(account.owner, id))['onetime_url'] as string;
      const first = await onetime();

      service.advance(44);
      assert.equal(await onetime(), first);
      service.advance(1);
      const second = await onetime();
      service.advance(45);
      const third = await onetime();

      assert.equal(new Set([first, second, third]).size, 3);
      assert.match(
        first.slice(service.server.config.publicUrl.length),
        new RegExp(`^/t/${id}\\.${account.owner.id}\\.[\\w-]{22}$`),
      );
      assert.equal((await account.owner.call('agents/list')).body['data'][0].onetime_url, third);
    });

    test('the one-time link of a window opens once', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const spend = async (window: number) =>
        !isFault(
          await service.server.store.change('links/consume-onetime', {
            accountId: account.id,
            agentId: id,
            memberId: account.owner.id,
            window,
          }),
        );

      assert.deepEqual([await spend(7), await spend(7), await spend(8)], [true, false, true]);
    });

    test('device, group and account can forbid one-time links: the field is absent at once, in lists too', async () => {
      const account = await service.account();
      const { owner } = account;
      const group = await account.group();
      const { id } = await account.agent({ groupId: group });
      const shows = async () => {
        const [one] = (await owner.call('agents/list')).body['data'] as object[];
        const [listed, single] = [one!, await info(owner, id)].map((each) => 'onetime_url' in each);
        assert.equal(listed, single);
        return single;
      };
      const settings = async () =>
        (await owner.call('agents/settings', { agent_id: id })).body['data'] as object;
      const ofDevice = (onetime_url: string) =>
        owner.call('agents/settings/update', { agent_id: id, onetime_url });
      const ofGroup = (onetime_url: string) =>
        owner.call('groups/settings/update', { id: group, onetime_url });

      assert.deepEqual(await settings(), { onetime_url: 'inherit', onetime_url_inherited: 'allow' });
      assert.equal(await shows(), true);
      assert.deepEqual((await ofDevice('forbid')).body, { status: 0 });
      assert.equal(await shows(), false);
      await ofDevice('inherit');
      await ofGroup('forbid');
      assert.equal(await shows(), false);
      assert.deepEqual(await settings(), { onetime_url: 'inherit', onetime_url_inherited: 'forbid' });
      await ofDevice('allow');
      assert.equal(await shows(), true);
      await ofDevice('inherit');
      await ofGroup('inherit');
      await owner.call('account/update', { onetime_url: 'forbid' });
      assert.equal(await shows(), false);
      await ofGroup('allow');
      assert.equal(await shows(), true);
      assert.equal(
        (await ofDevice('never')).body.error?.message,
        'onetime_url must be one of inherit, allow, forbid.',
      );
    });

    test('anyone who may not connect to a device is shown none of its links', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      await update(account.owner, id, { enable: true, url: uniquePath(), password });
      const looker = await account.member([{ type: 'agent', agentId: id, permissions: ['agent_sessions'] }]);

      const seen = await info(looker, id);

      assert.deepEqual(
        ['permanent_url' in seen, 'onetime_url' in seen, seen['preview_url']],
        [false, false, ''],
      );
    });
  });
