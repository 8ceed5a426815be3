/** Links that are shown to people: a link never gives more than its person holds at the moment of joining. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Permission } from '@drawbridge/contract/permissions';
import { hmacOf } from '@drawbridge/server/edges/random';
import { must, type TestPerson, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { waitUntilOnline, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  postToSession,
  linkCode,
  openSessionLink,
  readRefusal,
  randomKey,
  startFakeDevice,
} from '../kit/session/session-ends.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { runSql } from '../kit/server/raw-sql.ts';

const viewOnly = ['agent_connect', 'agent_preview'] satisfies Permission[];
const helps = ['quick_support_technical', 'agent_connect'] satisfies Permission[];

for (const { kind, skip } of databases)
  describe(`links of members on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      service = await startService({ database: kind });
    });
    after(() => service[Symbol.asyncDispose]());

    /**
     * An account with an online device. A new time window has just begun, so that requests soon after belong
     * to one window.
     */
    async function fixture() {
      service.advance(45 - (service.server.store.now() % 45));
      const account = await service.account();
      const device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(account.owner));
      await waitUntilOnline(account.owner, device.id);
      const technician = (permissions: readonly Permission[] = viewOnly) =>
        account.member([{ type: 'agent', agentId: device.id, permissions }]);
      return { account, owner: account.owner, device, technician };
    }
    const pathOf = (url: string): string => new URL(url).pathname;
    const infoOf = async (person: TestPerson, agent_id: number) =>
      (await person.call('agents/info', { agent_id })).body['data'];
    const onetime = async (person: TestPerson, id: number): Promise<string> =>
      pathOf((await infoOf(person, id)).onetime_url);
    const invite = async (person: TestPerson): Promise<number> =>
      (await person.call('support/create')).body['data'].id;
    const connectUrl = async (person: TestPerson, connection_id: number): Promise<string> =>
      pathOf((await person.call('support/info', { connection_id })).body['data'].connect_url);

    const look = async (path: string, headers = {}): Promise<number> =>
      (await service.testClient.send({ path, headers })).http;
    const press = (path: string, headers = {}) => service.testClient.send({ method: 'POST', path, headers });
    /** Presses the button and opens the session; the HTTP status code if the link does not open. */
    async function enter(path: string, headers = {}) {
      const answer = await press(path, headers);
      return answer.http === 303 ? openSessionLink(service, String(answer.headers['location'])) : answer.http;
    }
    const permissionsBy = async (path: string, headers = {}): Promise<unknown> => {
      const entered = await enter(path, headers);
      return typeof entered === 'number' ? entered : entered.permissions;
    };
    const lines = async (owner: TestPerson, operation: string) =>
      (await owner.call('audit/list', { operation })).body['data'] as Record<string, unknown>[];

    test('the one-time link of a member who may only view gives no more, and everyone sees whose link it was', async () => {
      const { owner, device, technician } = await fixture();
      await using _device = device;
      const ann = await technician();
      const own = await openSessionLink(
        service,
        (await ann.call('agents/connect', { agent_id: device.id })).body['data'].url,
      );

      const opened = await enter(await onetime(ann, device.id));

      assert.ok(typeof opened === 'object');
      assert.deepEqual(opened.permissions, ['agent_connect']);
      assert.deepEqual(opened.permissions, own.permissions);
      assert.deepEqual(device.grants.at(-1)!.permissions, ['agent_connect']);
      const name = `${ann.email}, by a one-time link`;
      assert.deepEqual([opened.name, device.grants.at(-1)!.operator.name], [name, name]);
      const [row] = await runSql(
        service,
        `select login, member_id from session where id = ${opened.session}`,
      );
      assert.deepEqual([row!['login'], Number(row!['member_id'])], [ann.email, ann.id]);
      for (const operation of ['link/onetime', 'session/open']) {
        const [line] = await lines(owner, operation);
        assert.deepEqual([line!['email'], line!['outcome']], [ann.email, 'done']);
      }
      const input = { door: 'onetime', agent_id: device.id };
      assert.deepEqual((await lines(owner, 'session/open'))[0]!['input'], input);
    });

    test('the operator’s URL of a member who may only view gives no more', async () => {
      const { account, owner } = await fixtureWithout();
      const ann = await account.member([{ type: 'quick_support', permissions: helps }]);
      const id = await invite(owner);

      const opened = await enter(await connectUrl(ann, id));

      assert.ok(typeof opened === 'object');
      assert.deepEqual(opened.permissions, ['agent_connect']);
      assert.equal(opened.name, `${ann.email}, by the operator’s link`);
      const [line] = await lines(owner, 'link/operator');
      assert.deepEqual([line!['email'], line!['input']], [ann.email, { support_id: id }]);
    });

    async function fixtureWithout(): Promise<{ account: TestAccount; owner: TestPerson }> {
      const account = await service.account();
      return { account, owner: account.owner };
    }

    test('the device asks about anyone who uses a link, even if the owner of the link need not ask', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const groupId = await account.group();
      await owner.call('groups/agent/insert', { id: groupId, agent_id: device.id });
      await owner.call('groups/settings/update', { id: groupId, confirm: 'ask' });

      await enter(await onetime(owner, device.id));

      assert.equal(device.grants.at(-1)!.confirm, true);
    });

    /** What may happen to a member between being shown a link and someone using it. */
    const events: Record<string, (account: TestAccount, person: TestPerson) => Promise<unknown>> = {
      'left the team': ({ owner }, { email }) => owner.call('team/member/remove', { email }),
      'may not connect any more': async ({ id, owner }, { email }) => {
        const { roles } = (await owner.call('team/member/access/list', { email })).body['data'];
        for (const { id: role } of roles as { id: number }[]) {
          const { permissions } = (await service.server.store.roles.find(id, role))!;
          const permission = permissions.filter((each) => each !== 'agent_connect');
          await owner.call('team/role/edit', { id: role, permission });
        }
      },
    };

    for (const [what, event] of Object.entries(events)) {
      test(`the one-time link of a member who ${what} does not open, before the button and after`, async () => {
        const { account, owner, device, technician } = await fixture();
        await using _device = device;
        const [ann, bob] = [await technician(), await technician()];
        const [shown, pressed] = [await onetime(ann, device.id), await onetime(bob, device.id)];
        const { headers } = await press(pressed);

        await event(account, ann);
        await event(account, bob);

        assert.deepEqual([await look(shown), (await press(shown)).http], [404, 404]);
        const code = linkCode(String(headers['location']));
        const [http] = readRefusal(await postToSession(service, 'open', { code, key: randomKey() }));
        assert.ok(http === 404 || http === 403, String(http));
        assert.equal(typeof (await enter(await onetime(owner, device.id))), 'object');
      });

      test(`the operator’s URL of a member who ${what} does not open, and is not used up`, async () => {
        const { account, owner } = await fixtureWithout();
        const [ann, bob] = await Promise.all([
          account.member([{ type: 'quick_support', permissions: helps }]),
          account.member([{ type: 'quick_support', permissions: helps }]),
        ]);
        const [one, two] = [await invite(owner), await invite(owner)];
        const [shown, pressed] = [await connectUrl(ann, one), await connectUrl(bob, two)];
        const { headers } = await press(pressed);

        await event(account, ann);
        await event(account, bob);

        assert.deepEqual([await look(shown), (await press(shown)).http], [404, 404]);
        const code = linkCode(String(headers['location']));
        const [http] = readRefusal(await postToSession(service, 'open', { code, key: randomKey() }));
        assert.ok(http === 404 || http === 403, String(http));
        assert.equal(typeof (await enter(await connectUrl(owner, one))), 'object');
      });
    }

    test('the links of two members in one window are independent, and each opens once', async () => {
      const { device, technician } = await fixture();
      await using _device = device;
      const [ann, bob] = [await technician(), await technician(['agent_connect', 'agent_chat'])];
      const [first, second] = [await onetime(ann, device.id), await onetime(bob, device.id)];

      assert.deepEqual(
        [await look(first), await permissionsBy(first), await permissionsBy(first), await look(second)],
        [200, ['agent_connect'], 404, 200],
      );
      assert.deepEqual(
        [await permissionsBy(second), await permissionsBy(second)],
        [['agent_connect', 'agent_chat'], 404],
      );
      assert.equal(await onetime(ann, device.id), first);
      const [used, unknown] = await Promise.all(
        [first, `/t/${device.id}.${ann.id}.${'A'.repeat(22)}`].map((path) =>
          service.testClient.send({ path }),
        ),
      );
      assert.deepEqual([used!.http, used!.text], [404, unknown!.text]);
    });

    test('of many who press the button at the same moment one gets in', async () => {
      const { device, technician } = await fixture();
      await using _device = device;
      const path = await onetime(await technician(), device.id);

      const codes = (await Promise.all(Array.from({ length: 10 }, () => press(path)))).map(
        ({ http }) => http,
      );

      assert.deepEqual(
        codes.toSorted((a, b) => a - b),
        [303, ...Array<number>(9).fill(404)],
      );
    });

    test('a one-time link stops at once when one-time links are forbidden, before the button and after', async () => {
      const { owner, device, technician } = await fixture();
      await using _device = device;
      const [ann, bob] = [await technician(), await technician()];
      const [shown, pressed] = [await onetime(ann, device.id), await onetime(bob, device.id)];
      const { headers } = await press(pressed);

      await owner.call('agents/settings/update', { agent_id: device.id, onetime_url: 'forbid' });

      assert.deepEqual([await look(shown), (await press(shown)).http], [404, 404]);
      const code = linkCode(String(headers['location']));
      const [http] = readRefusal(await postToSession(service, 'open', { code, key: randomKey() }));
      assert.equal(http, 403);
      assert.equal('onetime_url' in (await infoOf(ann, device.id)), false);
    });

    test('a link opens in its window and ten seconds longer, and not after that', async () => {
      const { device, technician } = await fixture();
      await using _device = device;
      const [ann, bob] = [await technician(), await technician()];
      const [first, second] = [await onetime(ann, device.id), await onetime(bob, device.id)];

      service.advance(45);
      assert.equal((await press(first)).http, 303);
      service.advance(10);
      assert.deepEqual([await look(second), (await press(second)).http], [404, 404]);
    });

    test('nobody can derive the link of another member from their own', async () => {
      const { account, owner, device, technician } = await fixture();
      await using _device = device;
      const ann = await technician();
      await account.grant(ann, { type: 'quick_support', permissions: helps });
      const id = await invite(owner);
      const [link, url] = [await onetime(ann, device.id), await connectUrl(ann, id)];
      const seal = (path: string): string => path.slice(-22);
      const { connectToken } = (await service.server.store.invitations.byId(id))!;
      const window = Math.floor(service.server.store.now() / 45);
      const [agent] = await runSql(service, `select secret from agent where id = ${device.id}`);

      const dead = [
        `/t/${device.id}.${owner.id}.${seal(link)}`,
        `/t/${device.id}.0${ann.id}.${seal(link).slice(0, 21)}`,
        `/t/${device.id}.${ann.id}.${seal(link).slice(0, 21)}`,
        `/t/${device.id}.${ann.id}.${'A'.repeat(22)}`,
        `/t/${device.id}.${seal(link)}`,
        `/t/${device.id}.${hmacOf(String(agent!['secret']), `onetime:${window}`)}`,
        `/t/${device.id}.${ann.id}.${(await infoOf(ann, device.id)).preview_url.slice(-22)}`,
        `/o/${id}.${owner.id}.${seal(url)}`,
        `/o/${await invite(owner)}.${ann.id}.${seal(url)}`,
        `/o/${id}.${ann.id}.${'A'.repeat(22)}`,
        `/o/${connectToken}`,
        '/o/x',
      ];

      for (const path of dead)
        assert.deepEqual([await look(path), (await press(path)).http], [404, 404], path);
      assert.deepEqual([(await press(link)).http, (await press(url)).http], [303, 303]);
      const shown = JSON.stringify([
        (await owner.call('support/list')).body,
        (await owner.call('support/info', { connection_id: id })).body,
      ]);
      assert.equal(shown.includes(connectToken), false);
    });

    test('a member who is signed in at the panel uses the operator’s URL as themselves, as often as they like', async () => {
      const { account, owner } = await fixtureWithout();
      const ann = await account.member([{ type: 'quick_support', permissions: [...helps, 'agent_chat'] }]);
      const id = await invite(owner);
      const path = await connectUrl(owner, id);
      const headers = (await openSignedInPanel(service, account, ann)).headers('POST');

      for (let count = 0; count < 2; count++) {
        const opened = await enter(path, headers);
        assert.ok(typeof opened === 'object');
        assert.deepEqual([opened.name, opened.permissions], [ann.email, ['agent_connect', 'agent_chat']]);
      }
      const guest = await enter(path);
      assert.ok(typeof guest === 'object');
      assert.equal(guest.permissions.length, 9);
      const { cookie = '' } = headers;
      assert.deepEqual([await look(path), await look(path, { cookie })], [404, 200]);
      assert.deepEqual(await permissionsBy(path, headers), ['agent_connect', 'agent_chat']);
      const origins = (await lines(owner, 'session/open')).map(({ email, input }) => [
        email,
        (input as { door: string }).door,
      ]);
      assert.deepEqual(origins, [
        [ann.email, 'api'],
        [owner.email, 'operator'],
        [ann.email, 'api'],
        [ann.email, 'api'],
      ]);
    });

    test('anyone whose sign-in is over, is of another account or sees no invitations is treated as anonymous', async () => {
      const { account, owner } = await fixtureWithout();
      const other = await service.account();
      const blind = await account.member();
      const over = await openSignedInPanel(service, account, owner);
      await over.ask('sign-out');
      const browsers = [
        await openSignedInPanel(service, other, other.owner),
        await openSignedInPanel(service, account, blind),
        Object.assign(over, { cookie: over.cookie ?? 'A'.repeat(43) }),
      ];

      for (const browser of browsers) {
        const path = await connectUrl(owner, await invite(owner));
        const headers = browser.headers('POST');
        const opened = await enter(path, headers);
        assert.ok(typeof opened === 'object');
        assert.equal(opened.name, `${owner.email}, by the operator’s link`);
        assert.equal(await enter(path, headers), 404);
      }
    });

    test('a form of another page does not use the sign-in', async () => {
      const { account, owner } = await fixtureWithout();
      const ann = await account.member([{ type: 'quick_support', permissions: helps }]);
      const id = await invite(owner);
      const path = await connectUrl(owner, id);
      await press(path);
      const browser = await openSignedInPanel(service, account, ann);
      const { hostname, port } = new URL(service.server.config.publicUrl);
      const strange = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: '' },
        { origin: `https://sub.${hostname}:${port}` },
        { origin: `http://${hostname}:${port}` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
      ];

      for (const each of strange)
        assert.equal((await press(path, browser.headers('POST', each))).http, 404, JSON.stringify(each));
      assert.equal((await press(path, browser.headers('POST'))).http, 303);
      assert.equal((await press(path, browser.headers('POST', { 'sec-fetch-site': '' }))).http, 303);
    });

    test('anyone who follows a genuine link from another site sees the button, and the refusal only when they press it', async () => {
      const { owner } = await fixtureWithout();
      const path = await connectUrl(owner, await invite(owner));
      const used = await connectUrl(owner, await invite(owner));
      await press(used);
      const abroad = { 'Sec-Fetch-Site': 'cross-site' };

      for (const each of [path, used]) assert.equal(await look(each, abroad), 200, each);
      for (const each of [`/o/1.1.${'A'.repeat(22)}`, '/o/x'])
        assert.equal(await look(each, abroad), 404, each);
      const page = await service.testClient.send({ path, headers: abroad });
      assert.equal(page.headers['referrer-policy'], 'same-origin');
      assert.deepEqual([await look(used), (await press(used)).http], [404, 404]);
    });

    test('the link of a device that the plan does not cover says so, and is not used up', async () => {
      const { account, owner, device } = await fixture();
      await using _device = device;
      const password = 'correct horse 7';
      const url = `blocked-${device.id}-${kind}`;
      await owner.call('agents/update', { id: device.id, permanent_url: { enable: true, url, password } });
      const path = await onetime(owner, device.id);
      const byPassword = (given: string) =>
        service.testClient.send({
          method: 'POST',
          path: `/p/${url}`,
          body: new URLSearchParams({ password: given }).toString(),
        });
      const block = (computers: number | null) =>
        must(service.server.store, 'plan/set', { accountId: account.id, plan: { computers } });

      await block(0);
      const [onetimeBlocked, blocked, wrong] = [
        await press(path),
        await byPassword(password),
        await byPassword('no'),
      ];
      await block(null);

      for (const { http, text } of [onetimeBlocked, blocked]) {
        assert.equal(http, 403);
        assert.match(text, /This device is blocked/);
      }
      assert.doesNotMatch(wrong.text, /is blocked/);
      assert.deepEqual([(await press(path)).http, (await byPassword(password)).http], [303, 303]);
    });

    test('the picture of a screen is for those who may see it now, and its address cannot be guessed', async () => {
      const { account, owner, device, technician } = await fixture();
      await using _device = device;
      const [ann, blind] = [await technician(), await technician(['agent_connect'])];
      const address = pathOf((await infoOf(ann, device.id)).preview_url);
      const get = async (path: string) => {
        const { http, headers, text } = await service.testClient.send({ path });
        return { http, type: headers['content-type'], text };
      };
      const right = await get(address);
      const seal = address.slice(-22);
      const guesses = [
        `/preview/${device.id}.${owner.id}.${seal}`,
        `/preview/${device.id}.${blind.id}.${seal}`,
        `/preview/${device.id}.${blind.id}.${await sealed(device.id, blind.id)}`,
        `/preview/${device.id}.${ann.id}.${'A'.repeat(22)}`,
        `/preview/${device.id}.${ann.id}.${seal.slice(1)}`,
        `/preview/${device.id}`,
        '/preview/x',
      ];
      const answers = await Promise.all(guesses.map(get));
      const asked = device.commands.filter(({ name }) => name === 'preview').length;
      await account.owner.call('team/member/remove', { email: ann.email });
      const afterwards = await get(address);

      assert.equal((await infoOf(blind, device.id)).preview_url, '');
      assert.equal(right.http, 200);
      assert.equal(asked, 1);
      // The same picture for anything the caller may not see, so that it does not reveal why.
      for (const each of [...answers, afterwards]) assert.deepEqual(each, { ...answers[0], http: 404 });
      assert.equal(device.commands.filter(({ name }) => name === 'preview').length, asked);
    });

    async function sealed(id: number, memberId: number): Promise<string> {
      const [agent] = await runSql(service, `select secret from agent where id = ${id}`);
      return hmacOf(String(agent!['secret']), `preview:${memberId}`);
    }
  });
