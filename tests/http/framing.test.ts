/** Pages for frames of other sites, as the server sends them: policies, guarded buttons, and what names a session. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cookieName } from '@drawbridge/server/panel/sign-in/cookie';
import { digestOf } from '@drawbridge/server/edges/random';
import { must, type TestPerson } from '../kit/server/account.ts';
import { createPanelSession } from '../kit/server/panel.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { linkCode, postToSession } from '../kit/session/session-ends.ts';

const origins = ['https://tickets.example.com', 'https://desk.example.com:8443'];

for (const { kind, skip } of databases)
  describe(`pages in frames on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => {
      const env = { DRAWBRIDGE_FRAME_ORIGINS: origins.join(',') };
      service = await startService({ database: kind, env });
    });
    after(() => service[Symbol.asyncDispose]());

    const get = (path: string, dest: string) =>
      service.testClient.send({ path, headers: { 'Sec-Fetch-Dest': dest, 'Sec-Fetch-Site': 'cross-site' } });

    async function fixture() {
      const account = await service.account();
      await account.owner.call('branding/update', { name: 'Acme <b>' });
      const { id } = await account.agent({ name: 'Front <i>desk' });
      const { data: device } = (await account.owner.call('agents/info', { agent_id: id })).body;
      const { data: invited } = (await account.owner.call('support/create', { client_name: 'Ann' })).body;
      const { url } = (await account.owner.call('agents/connect', { agent_id: id })).body['data'];
      return {
        ...account,
        device: { id, path: new URL(device.onetime_url).pathname },
        invited: { ...invited, path: new URL(invited.connect_url).pathname },
        code: linkCode(url),
      };
    }

    test('only public pages can be framed, and only by the named origins', async () => {
      const open = ['/o/x', '/t/x', '/p/x', '/c/x', '/i', '/i/123456789'];
      const closed = ['/', '/panel', '/sign-in', '/invite/x', '/download', '/docs/', '/recording/x'];

      for (const path of [...open, ...closed]) {
        const { headers } = await get(path, 'iframe');
        const policy = String(headers['content-security-policy']);
        const expected = open.includes(path) ? origins.join(' ') : "'none'";
        if (String(headers['content-type']).startsWith('text/html'))
          assert.equal(/frame-ancestors ([^;]*)/.exec(policy)?.[1], expected, path);
      }
    });

    test('a link page names its session, and in a frame its button waits for the script', async () => {
      const { device, invited, owner } = await fixture();
      const names = [
        [device.path, 'Connect to Front &#60;i&#62;desk'],
        [invited.path, `Connect to Quick support ${invited.id}`],
      ] as const;

      for (const [path, name] of names) {
        const [framed, own] = [await get(path, 'iframe'), await get(path, 'document')];
        for (const { text } of [framed, own]) {
          for (const part of [name, 'Acme &#60;b&#62;', 'The session is not recorded.'])
            assert.ok(text.includes(part), text);
          assert.doesNotMatch(text, /Ann/);
        }
        assert.ok(framed.text.includes(`with the rights of ${owner.email}`), framed.text);
        assert.match(framed.text, /<button type="submit" class="button" disabled>/);
        assert.match(String(framed.headers['content-security-policy']), /script-src 'self'/);
        assert.match(own.text, /<button type="submit" class="button">/);
      }
      assert.match(
        (await get('/p/unknown', 'iframe')).text,
        /<button type="submit" class="button" disabled>/,
      );
    });

    test('what a link opens is shown without using it, and not afterwards or to other sites', async () => {
      const { code, owner } = await fixture();

      const shown = [
        await postToSession(service, 'show', { code }),
        await postToSession(service, 'show', { code }),
      ];
      const elsewhere = await postToSession(service, 'show', { code }, { Origin: origins[0]! });
      await must(service.server.store, 'links/consume', { digest: digestOf(code) });
      const used = await postToSession(service, 'show', { code });

      for (const { http, text } of shown) {
        const { name, owner: maker, brand, record } = JSON.parse(text);
        assert.deepEqual(
          [http, name, maker, brand.name, record],
          [200, 'Front <i>desk', owner.email, 'Acme <b>', false],
        );
      }
      assert.deepEqual([elsewhere.http, used.http], [400, 404]);
    });

    test('what a link would open is not shown once its person may no longer connect', async () => {
      const account = await fixture();
      const { device, owner } = account;
      const grant = { type: 'agent', agentId: device.id, permissions: ['agent_connect'] } as const;
      const technician = await account.member([grant]);
      const { url } = (await technician.call('agents/connect', { agent_id: device.id })).body['data'];
      const show = async () => (await postToSession(service, 'show', { code: linkCode(url) })).http;
      const shown = await show();

      const { email } = technician;
      const { roles } = (await owner.call('team/member/access/list', { email })).body['data'];
      const access = { email, role_id: roles[0].id, agent_id: device.id };
      const revoked = await owner.call('team/member/access/remove', access);

      assert.deepEqual([shown, revoked.http, await show()], [200, 200, 404]);
    });

    test('a link says whether the session is recorded: as it was made, or as the account is set', async () => {
      const { device, invited, owner } = await fixture();
      const isRecorded = async (video?: boolean) => {
        const asked = { agent_id: device.id, ...(video !== undefined && { video }) };
        const { url } = (await owner.call('agents/connect', asked)).body['data'];
        return JSON.parse((await postToSession(service, 'show', { code: linkCode(url) })).text).record;
      };

      assert.deepEqual([await isRecorded(), await isRecorded(true)], [false, true]);
      await owner.call('account/update', { record: true });

      assert.deepEqual([await isRecorded(), await isRecorded(false)], [true, false]);
      for (const path of [device.path, invited.path])
        assert.ok((await get(path, 'document')).text.includes('The session is recorded.'), path);
      const inviter = await postToSession(service, 'inviter', { code: invited.invite_code });
      assert.equal(JSON.parse(inviter.text).record, true);
    });

    test('only the owner is shown the name of a client, and only by a link of their own', async () => {
      const account = await fixture();
      const { invited, owner } = account;
      const technician = await account.member([
        { type: 'quick_support', permissions: ['quick_support_technical', 'agent_connect'] },
      ]);
      const nameFor = async (person: TestPerson) => {
        const asked = await person.call('support/connect', { connection_id: invited.id });
        const code = linkCode(asked.body['data'].url);
        return JSON.parse((await postToSession(service, 'show', { code })).text).name;
      };
      const signedIn = async (person: TestPerson) => {
        const headers = { Cookie: `${cookieName}=${await createPanelSession(service, account, person)}` };
        return (await service.testClient.send({ path: invited.path, headers })).text;
      };

      const number = `Quick support ${invited.id}`;
      assert.deepEqual([await nameFor(owner), await nameFor(technician)], ['Ann', number]);
      assert.ok((await signedIn(owner)).includes('Connect to Ann'));
      assert.ok((await signedIn(technician)).includes(`Connect to ${number}`));
      assert.ok((await get(invited.path, 'document')).text.includes(`Connect to ${number}`));
    });

    test('a link that was not made by this server names nothing, wherever the visitor comes from', async () => {
      const { device, invited } = await fixture();
      const forged = (path: string) => `${path.slice(0, -4)}AAAA`;

      for (const path of [forged(device.path), forged(invited.path), '/o/x', '/t/x'])
        for (const dest of ['document', 'iframe']) {
          const { http, text } = await get(path, dest);
          assert.equal(http, 404, path);
          assert.doesNotMatch(text, /Acme|Front|Quick support/);
        }
    });

    test('a code names who invites until the invitation is closed, and guesses are limited', async () => {
      const { invited, owner } = await fixture();
      const ask = (code: string) => postToSession(service, 'inviter', { code });

      const known = await ask(invited.invite_code);
      await owner.call('support/close', { connection_id: invited.id });
      const closed = await ask(invited.invite_code);
      const guesses = [];
      for (let count = 0; count < 30; count++) guesses.push((await ask(String(100_000_000 + count))).http);

      const { name, owner: inviter, brand } = JSON.parse(known.text);
      assert.deepEqual([known.http, name, inviter, brand.name], [200, '', owner.email, 'Acme <b>']);
      assert.equal(closed.http, 404);
      assert.equal(guesses.at(-1), 429);
      assert.ok(guesses.filter((http) => http === 404).length <= 20, guesses.join());
    });
  });
