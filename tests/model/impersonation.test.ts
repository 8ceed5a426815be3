/** Impersonation: nobody gets a credential of a member who holds a permission that they lack. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { random } from '@drawbridge/server/edges/random';
import type { TestAccount, TestGrant } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openMailbox } from '../kit/server/mailbox.ts';
import { openPanelClient, openSignedInPanel, type PanelResponse } from '../kit/server/panel.ts';
import { seed } from '../kit/random.ts';
import type { SearchResult } from './search.ts';

const admin: TestGrant = { type: 'team', permissions: ['team_user_admin'] };
const tokenIn = (text: unknown): string => /\/(?:invite|sign-in)\/([\w-]{43})/.exec(String(text))?.[1] ?? '';
const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;
const somebody = (): string => `new-${random.digits(9)}@example.com`;

/** A permission of each kind that managing members does not include. */
const rights: Record<string, (account: TestAccount) => Promise<TestGrant>> = {
  'on a device': async (account) => ({
    type: 'agent',
    permissions: ['agent_connect'],
    agentId: (await account.agent()).id,
  }),
  'on a group': async (account) => ({
    type: 'group',
    permissions: ['agent_connect'],
    groupId: await account.group(),
  }),
  'in quick support': async () => ({ type: 'quick_support', permissions: ['quick_support_admin'] }),
  'in the team': async () => ({ type: 'team', permissions: ['team_api_key'] }),
};

for (const { kind, skip } of databases)
  describe(`impersonation on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const enter = (token: string): Promise<PanelResponse> =>
      openPanelClient(service).ask('sign-in/link', { token });

    for (const [where, grantIn] of Object.entries(rights))
      for (const byDepartment of [false, true]) {
        const there = `${where}${byDepartment ? ' through a department' : ''}`;

        test(`no link of an invited member who holds a permission ${there} is created for a member who lacks it`, async () => {
          const account = await service.account();
          const [manager, invited] = [await account.member([admin]), await account.member()];
          await account.grant(invited, { ...(await grantIn(account)), byDepartment });

          const { http, body } = await manager.call('team/member/invite', { email: invited.email });

          assert.deepEqual([http, body.status, body.error?.code], [403, 8, 'beyond_own_rights']);
          const { body: again } = await account.owner.call('team/member/invite', { email: invited.email });
          assert.equal((await enter(tokenIn(again['url']))).http, 200);
        });

        test(`a link that was kept opens nothing once its member holds a permission ${there} that its creator lacks`, async () => {
          const account = await service.account();
          const manager = await account.member([admin]);
          const email = somebody();
          const { body } = await manager.call('team/member/invite', { email });
          const grant = { ...(await grantIn(account)), byDepartment };
          const { roleId } = await account.grant({ ...manager, email }, grant);

          const refused = await enter(tokenIn(body['url']));
          await account.owner.call('team/role/remove', { id: roleId });
          const opened = await enter(tokenIn(body['url']));

          assert.deepEqual([refused.http, codeOf(refused), opened.http], [403, 'not_signed_in', 200]);
        });
      }

    test('a member who holds everything the invited member holds creates the link and may hand it over', async () => {
      const account = await service.account();
      const grant = await rights['on a device']!(account);
      const [manager, invited] = [await account.member([admin, grant]), await account.member([grant])];

      const { http, body } = await manager.call('team/member/invite', { email: invited.email });

      assert.equal(http, 200);
      assert.equal((await enter(tokenIn(body['url']))).http, 200);
    });

    test('links for a new password follow the same rule, when they are created and when they are used', async () => {
      const account = await service.account();
      const [manager, person] = [await account.member([admin]), await account.member()];
      const { body } = await account.owner.call('team/member/invite', { email: person.email });
      await enter(tokenIn(body['url']));
      const panel = await openSignedInPanel(service, account, manager);
      const { body: made } = await panel.ask('member/reset', { email: person.email });
      await account.grant(person, await rights['on a device']!(account));

      const kept = await enter(tokenIn(made['url']));
      const again = await panel.ask('member/reset', { email: person.email });
      const ofOwner = await panel.ask('member/reset', { email: account.owner.email });

      assert.deepEqual([kept, again, ofOwner].map(codeOf), [
        'not_signed_in',
        'beyond_own_rights',
        'beyond_own_rights',
      ]);
    });

    test('a member who manages members neither sees nor ends keys of others, and creates none for them', async () => {
      const account = await service.account();
      const team = { ...admin, permissions: ['team_user_admin', 'team_api_key'] as const };
      const [manager, other] = [await account.member([team]), await account.member()];
      const others = await account.key(other);

      const { body: made } = await manager.call('keys/create', { name: 'x', email: other.email });
      const { body: seen } = await manager.call('keys/list');
      const revoked = await manager.call('keys/revoke', { id: others.keyId });

      const { body: used } = await service.testClient.sdkClient(made['api_key']).request('keys/list', {});
      assert.deepEqual(used, seen, 'the key acts as somebody else');
      const owners = (seen['data'] as { email: string }[]).map(({ email }) => email);
      assert.deepEqual(new Set(owners), new Set([manager.email]));
      assert.equal(revoked.http, 403);
    });

    test('a link of a member who left, or who does not manage members any more, opens what they still hold', async () => {
      const account = await service.account();
      const [leaving, demoted] = [await account.member([admin]), await account.member()];
      const { roleId } = await account.grant(demoted, admin);
      const [one, two] = [
        await leaving.call('team/member/invite', { email: somebody() }),
        await demoted.call('team/member/invite', { email: somebody() }),
      ];
      await account.owner.call('team/member/remove', { email: leaving.email });
      await account.owner.call('team/role/remove', { id: roleId });

      const entered = [await enter(tokenIn(one.body['url'])), await enter(tokenIn(two.body['url']))];

      // The second leads to a member without permissions: nothing is gained by it.
      assert.deepEqual(
        entered.map(({ http }) => http),
        [403, 200],
      );
    });
  });

describe('with a mail server', () => {
  test('the link of a member who holds more is sent to that member alone, and shown to nobody', async () => {
    await using mailbox = await openMailbox();
    await using service = await startService({ env: mailbox.env });
    const account = await service.account();
    const [manager, invited] = [await account.member([admin]), await account.member()];
    await account.grant(invited, await rights['on a device']!(account));

    const { http, body } = await manager.call('team/member/invite', { email: invited.email });

    const receivedEmail = await mailbox.next();
    assert.deepEqual([http, body], [200, { status: 0, id: invited.id, mailed: true }]);
    assert.deepEqual(receivedEmail.to, [invited.email]);
    const entered = await openPanelClient(service).ask('sign-in/link', {
      token: tokenIn(receivedEmail.text),
    });
    assert.equal(entered.body['next'], 'done');
  });

  test('a link that was sent opens also after permissions were given; the one that was shown does not', async () => {
    await using mailbox = await openMailbox();
    await using service = await startService({ env: mailbox.env });
    const account = await service.account();
    const manager = await account.member([admin]);
    const email = somebody();
    const { body } = await manager.call('team/member/invite', { email });
    const [shown, sent] = [tokenIn(body['url']), tokenIn((await mailbox.next()).text)];
    await account.grant({ ...manager, email }, await rights['on a device']!(account));
    const enter = (token: string) => openPanelClient(service).ask('sign-in/link', { token });

    const answers = [await enter(shown), await enter(sent), await enter(sent), await enter(shown)];

    assert.notEqual(shown, sent);
    assert.deepEqual(
      answers.map(({ http }) => http),
      [403, 200, 403, 403],
    );
  });

  test('of the link that was shown and the one that was sent, the first that is used ends the other', async () => {
    await using mailbox = await openMailbox();
    await using service = await startService({ env: mailbox.env });
    const { owner } = await service.account();
    const { body } = await owner.call('team/member/invite', { email: somebody() });
    const both = [tokenIn(body['url']), tokenIn((await mailbox.next()).text)];

    const answers = [];
    for (const token of both)
      answers.push((await openPanelClient(service).ask('sign-in/link', { token })).http);

    assert.deepEqual(answers, [200, 403]);
  });
});

const organisationRuns = 1_000;
const threads = 2;

test(`no link that a member created signs them in as a member who holds more than they do (${organisationRuns} organisations)`, async () => {
  const file = new URL('./impersonation-search.ts', import.meta.url);
  const seen = await Promise.all(
    Array.from({ length: threads }, async (_, at) => {
      const worker = new Worker(file, { workerData: { runs: organisationRuns / threads, seed: seed + at } });
      return ((await once(worker, 'message')) as [SearchResult])[0];
    }),
  );

  for (const { counterexample } of seen) assert.equal(counterexample, '');
  // A model in which no link opens, or none is refused, would prove nothing.
  const times = (what: string): number => seen.reduce((sum, { counts }) => sum + (counts.get(what) ?? 0), 0);
  for (const purpose of ['invite', 'reset'])
    for (const end of ['refused', 'opened', 'closed since'])
      assert.ok(times(`${purpose}: ${end}`) > 0, `${purpose}: ${end} never`);
});
