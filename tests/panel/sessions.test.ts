/** Being signed in: how long it lasts, how it ends, and when a person must re-authenticate. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { backgroundHeader } from '@drawbridge/contract/panel/index';
import { freshLifetime } from '@drawbridge/contract/panel/step-up';
import { runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import type { TestPerson, TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  setPassword,
  openPanelClient,
  openSignedInPanel,
  type PanelResponse,
  type PanelClient,
} from '../kit/server/panel.ts';

const password = 'correct horse 7';
const minutes = 60;
const hours = 3_600;

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;

for (const { kind, skip } of databases)
  describe(`being signed in, on ${kind}`, { skip }, () => {
    let service: TestService;
    let account: TestAccount;
    let person: TestPerson;
    before(async () => {
      service = await startService({ database: kind });
      account = await service.account();
      person = account.owner;
      await setPassword(service, account, person, password);
    });
    after(() => service[Symbol.asyncDispose]());

    const enter = (): Promise<PanelClient> => openSignedInPanel(service, account, person);
    /** Another browser with the same cookie. */
    const copyOf = ({ cookie, csrf }: PanelClient): PanelClient =>
      Object.assign(openPanelClient(service), { cookie, csrf });

    test('a person who is inactive for thirty minutes is signed out, an active one is not', async () => {
      const [busy, idle] = [await enter(), await enter()];

      for (const _ of [1, 2, 3]) {
        service.advance(29 * minutes);
        assert.equal((await busy.ask('me')).http, 200);
      }

      assert.deepEqual([codeOf(await idle.ask('me')), (await idle.ask('me')).http], ['signed_out', 403]);
    });

    test('automatic requests of the page do not count as activity', async () => {
      const browser = await enter();

      for (const _ of [1, 2]) {
        service.advance(14 * minutes);
        assert.equal((await browser.ask('me', {}, { [backgroundHeader]: '1' })).http, 200);
      }
      service.advance(2 * minutes);

      assert.equal(codeOf(await browser.ask('me')), 'signed_out');
    });

    test('after twelve hours everyone is signed out, however active', async () => {
      const browser = await enter();

      for (let passed = 0; passed < 12 * hours - 20 * minutes; passed += 20 * minutes) {
        service.advance(20 * minutes);
        assert.equal((await browser.ask('me')).http, 200);
      }
      service.advance(20 * minutes);

      assert.equal(codeOf(await browser.ask('me')), 'signed_out');
    });

    test('expired sessions are swept, and running ones stay', async () => {
      const { store } = service.server;
      const memberRef = { accountId: account.id, memberId: person.id };
      await enter();
      service.advance(31 * minutes);
      const running = await enter();

      await runHousekeeping(store, 7 * 24 * hours);

      assert.equal((await store.panel.sessions(memberRef)).length, 1);
      assert.equal((await running.ask('me')).http, 200);
    });

    test('after signing out the cookie is gone, and its value is not accepted any more', async () => {
      const browser = await enter();
      const copy = copyOf(browser);

      const { http, headers } = await browser.ask('sign-out');

      const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
      assert.deepEqual([http, browser.cookie], [200, undefined]);
      assert.match(cookie, /^__Host-drawbridge=; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=0$/);
      assert.equal(codeOf(await copy.ask('me')), 'signed_out');
    });

    test('people see where they are signed in, and can sign out one other browser', async () => {
      await (await enter()).ask('me/sessions/end-all');
      const [here, other] = [await enter(), await enter()];
      const { body } = await here.ask('me/sessions');
      const listed = body['data'] as { id: number; here: boolean; address: string; user_agent: string }[];

      const elsewhere = listed.find((each) => !each.here)!;
      await here.ask('me/sessions/end', { id: elsewhere.id });
      const again = await here.ask('me/sessions/end', { id: elsewhere.id });

      assert.equal(listed.length, 2);
      assert.deepEqual([elsewhere.address, elsewhere.user_agent], ['127.0.0.1', 'test']);
      assert.deepEqual([codeOf(await other.ask('me')), (await here.ask('me')).http], ['signed_out', 200]);
      assert.equal(codeOf(again), 'not_found');
    });

    test('nobody can end the session of another person', async () => {
      const colleague = await account.member();
      const outsider = await service.account();
      const browser = await enter();
      const { body } = await browser.ask('me/sessions');
      const { id } = (body['data'] as { id: number; here: boolean }[]).find((each) => each.here)!;

      for (const [theirs, who] of [
        [account, colleague],
        [outsider, outsider.owner],
      ] as const)
        assert.equal(
          codeOf(await (await openSignedInPanel(service, theirs, who)).ask('me/sessions/end', { id })),
          'not_found',
        );

      assert.equal((await browser.ask('me')).http, 200);
    });

    test('signing out everywhere ends every session of the person, and of nobody else', async () => {
      const colleague = await account.member();
      const [one, two, theirs] = [
        await enter(),
        await enter(),
        await openSignedInPanel(service, account, colleague),
      ];

      const { http } = await one.ask('me/sessions/end-all');

      assert.equal(http, 200);
      assert.equal(codeOf(await two.ask('me')), 'signed_out');
      assert.equal((await theirs.ask('me')).http, 200);
    });

    test('a new password ends every other session, and keeps the one that set it', async () => {
      const [here, other] = [await enter(), await enter()];

      const { http } = await here.ask('me/password', { password });

      assert.equal(http, 200);
      assert.deepEqual([(await here.ask('me')).http, codeOf(await other.ask('me'))], [200, 'signed_out']);
    });

    test('keys, roles and the password are changed only with a fresh sign-in', async () => {
      const browser = await enter();
      const role = { name: 'Guests', type: 'team', permissions: [] };
      service.advance(freshLifetime);

      const refused = await Promise.all([
        browser.v1('keys/create', { name: 'laptop' }),
        browser.v1('team/role/create', role),
        browser.ask('me/password', { password }),
        browser.ask('me/totp/begin'),
        browser.ask('server/accounts/create', { email: 'new@example.com' }),
      ]);
      const reading = await browser.v1('keys/list');
      const wrong = await browser.ask('me/confirm', { password: 'wrong horse 7' });
      const right = await browser.ask('me/confirm', { password });
      const allowed = await browser.v1('keys/create', { name: 'laptop' });

      assert.deepEqual(
        refused.map((each) => [each.http, codeOf(each)]),
        [
          ...Array.from({ length: 4 }, () => [403, 'confirm_identity']),
          // Someone who does not administer the server is refused without a question.
          [403, 'forbidden'],
        ],
      );
      assert.deepEqual([reading.http, wrong.http, right.http, allowed.http], [200, 403, 200, 200]);
      assert.equal(right.body['fresh_until'], service.server.store.now() + freshLifetime);
    });

    test('re-authenticating gives another cookie, and the old one is not accepted any more', async () => {
      const browser = await enter();
      const old = copyOf(browser);

      const { body } = await browser.ask('me/confirm', { password });

      assert.notEqual(browser.cookie, old.cookie);
      assert.equal(body['csrf'], browser.csrf);
      assert.equal(codeOf(await old.ask('me')), 'signed_out');
      const { body: me } = await browser.ask('me');
      assert.deepEqual([me['data'].csrf, me['data'].fresh_until], [body['csrf'], body['fresh_until']]);
    });

    test('a member who is removed from the team is signed out at once', async () => {
      const colleague = await account.member();
      const browser = await openSignedInPanel(service, account, colleague);
      assert.equal((await browser.ask('me')).http, 200);

      await person.call('team/member/remove', { email: colleague.email });

      assert.equal(codeOf(await browser.ask('me')), 'signed_out');
      assert.equal(codeOf(await browser.v1('agents/list')), 'signed_out');
    });

    test('permissions that are granted or removed apply from the next request on', async () => {
      const colleague = await account.member();
      const browser = await openSignedInPanel(service, account, colleague);
      const teamOf = async () => (await browser.ask('me')).body['data'].team as string[];
      const previous = await teamOf();
      const { roleId } = await account.grant(colleague, { type: 'team', permissions: ['team_user_admin'] });
      const during = await teamOf();

      await person.call('team/member/access/remove', { email: colleague.email, role_id: roleId });

      assert.deepEqual([previous, during, await teamOf()], [[], ['team_user_admin'], []]);
    });

    test('what a person does at the panel is in the audit log like what their programs do', async () => {
      const browser = await enter();

      await browser.v1('groups/create', { name: 'Berlin' });
      await browser.ask('sign-out');

      const { rows } = await service.server.store.audit.list(account.id, { offset: 0, limit: 2 });
      assert.deepEqual(
        rows.map(({ email, operation, outcome }) => ({ email, operation, outcome })),
        [
          { email: person.email, operation: 'panel/sign-out', outcome: 'done' },
          { email: person.email, operation: 'groups/create', outcome: 'done' },
        ],
      );
    });

    test('the page receives what its person may do, and nothing of what they may not', async () => {
      const group = await account.group();
      const colleague = await account.member([
        { type: 'group', permissions: ['agent_change_settings'], groupId: group },
        { type: 'quick_support', permissions: ['quick_support_admin'] },
      ]);

      const { body: theirs } = await (await openSignedInPanel(service, account, colleague)).ask('me');
      const { body: owners } = await (await enter()).ask('me');

      assert.deepEqual(
        [
          theirs['data'].team,
          theirs['data'].support,
          theirs['data'].devices,
          theirs['data'].history,
          theirs['data'].group_admin,
        ],
        [[], ['quick_support_admin'], true, false, [group]],
      );
      assert.deepEqual([theirs['data'].owner, theirs['data'].has_password], [false, false]);
      assert.ok(owners['data'].owner && owners['data'].has_password);
      assert.ok(owners['data'].devices && owners['data'].history);
      assert.ok((owners['data'].group_admin as number[]).includes(group));
    });
  });
