/**
 * The live panel: who receives which events, how soon, and what happens when connections, sessions and
 * permissions end.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PanelEvent } from '@drawbridge/contract/panel/events';
import { digestOf } from '@drawbridge/server/edges/random';
import { must, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openEventReader, topicsOf, type EventReader } from '../kit/server/event-reader.ts';
import { openSignedInPanel, type PanelClient } from '../kit/server/panel.ts';
import { eventually } from '../kit/eventually.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

/** What a person is told of devices, in all events together. */
const agentsIn = (changes: readonly PanelEvent[]): number[] => [
  ...new Set(changes.filter(({ topic }) => topic === 'agents').flatMap(({ ids }) => ids ?? [])),
];

const topicIs = (topic: string) => (event: PanelEvent) => event.topic === topic;
const names = (id: number) => (event: PanelEvent) => event.ids?.includes(id) ?? false;

for (const { kind, skip } of databases)
  describe(`events of the panel on ${kind}`, { skip }, () => {
    let service: TestService;
    const open: EventReader[] = [];
    before(async () => void (service = await startService({ database: kind })));
    after(async () => {
      open.forEach((eventReader) => eventReader.hangUp());
      await service[Symbol.asyncDispose]();
    });

    /** All sign in before the first listens: a sign-in causes an event too. */
    const listen = async (account: TestAccount, ...people: readonly { id: number }[]) => {
      const panelists = [];
      for (const person of people) panelists.push(await openSignedInPanel(service, account, person));
      const all: (EventReader & { panelClient: PanelClient })[] = [];
      for (const panelClient of panelists)
        all.push(Object.assign(await openEventReader(service.testClient, panelClient), { panelClient }));
      open.push(...all);
      return all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
    };
    const rename = (account: TestAccount, id: number, name = 'new') =>
      account.owner.call('agents/update', { id, name });

    test('two members receive events of the devices they may see, and of no others', async () => {
      const account = await service.account();
      const [group, other] = [await account.group(), await account.group()];
      const shared = await account.agent({ groupId: group });
      const single = await account.agent();
      const hidden = await account.agent({ groupId: other });
      const ann = await account.member([{ type: 'group', permissions: ['agent_connect'], groupId: group }]);
      const bob = await account.member([
        { type: 'group', permissions: ['agent_connect'], groupId: group },
        { type: 'agent', permissions: ['agent_connect'], agentId: single.id, byDepartment: true },
      ]);
      const [forAnn, forBob, forOwner] = await listen(account, ann, bob, account.owner);

      for (const { id } of [hidden, single, shared]) assert.equal((await rename(account, id)).http, 200);
      await Promise.all([forAnn, forBob, forOwner].map((eventReader) => eventReader.until(names(shared.id))));

      assert.deepEqual(agentsIn(forAnn.changes()), [shared.id]);
      assert.deepEqual(agentsIn(forBob.changes()).toSorted(), [single.id, shared.id].toSorted());
      assert.deepEqual(agentsIn(forOwner.changes()).toSorted(), [hidden.id, single.id, shared.id].toSorted());
      assert.deepEqual(topicsOf(forAnn.changes()), ['agents']);
    });

    test('a device that becomes invisible or is removed is reported to those who saw it', async () => {
      const account = await service.account();
      const [seenBy, other] = [await account.group(), await account.group()];
      const [moved, removed] = [
        await account.agent({ groupId: seenBy }),
        await account.agent({ groupId: seenBy }),
      ];
      const ann = await account.member([{ type: 'group', permissions: ['agent_connect'], groupId: seenBy }]);
      const bob = await account.member([{ type: 'group', permissions: ['agent_connect'], groupId: other }]);
      const [forAnn, forBob] = await listen(account, ann, bob);

      await account.owner.call('groups/agent/insert', { id: other, agent_id: moved.id });
      await Promise.all([forAnn, forBob].map((eventReader) => eventReader.until(names(moved.id))));
      await account.owner.call('agents/logout', { id: removed.id });
      await forAnn.until(names(removed.id));
      await rename(account, moved.id);
      await forBob.until(names(moved.id));

      assert.deepEqual(agentsIn(forAnn.changes()), [moved.id, removed.id]);
      assert.deepEqual(agentsIn(forBob.changes()), [moved.id]);
    });

    test('refusing or unlinking a device is also reported to members who approve devices', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const [approves, sees] = [
        await account.member([{ type: 'team', permissions: ['team_permanent_access'] }]),
        await account.member([{ type: 'agent', permissions: ['agent_connect'], agentId: id }]),
      ];
      const [forOne, forOther] = await listen(account, approves, sees);

      await account.owner.call('agents/logout', { id });

      assert.deepEqual(topicsOf(await forOne.until(topicIs('account'))), ['account']);
      assert.equal(topicsOf(await forOther.until(topicIs('agents'))).includes('account'), false);
    });

    test('changes of groups are reported to those who see a device in them', async () => {
      const account = await service.account();
      const [mine, foreign] = [await account.group(), await account.group()];
      const { id } = await account.agent({ groupId: mine });
      await account.agent({ groupId: foreign });
      const ann = await account.member([{ type: 'group', permissions: ['agent_connect'], groupId: mine }]);
      const [forAnn, forOwner] = await listen(account, ann, account.owner);

      await account.owner.call('groups/edit', { id: foreign, name: 'Foreign' });
      await forOwner.until(topicIs('groups'));
      await rename(account, id);
      const topics = topicsOf(await forAnn.until(names(id)));
      await account.owner.call('groups/edit', { id: mine, name: 'Mine' });

      await forAnn.until(topicIs('groups'));
      assert.deepEqual(topics, ['agents']);
    });

    test('a device that connects and disconnects is reported, also when its lease expires', async () => {
      const account = await service.account();
      const [{ id }, { id: lost }] = [await account.agent(), await account.agent()];
      const [eventReader] = await listen(account, account.owner);
      const { store } = service.server;
      const count = (): number => eventReader.changes().filter(names(id)).length;

      await service.plugIn(id);
      await eventReader.until(names(id));
      const came = count();
      await service.plugIn(id);
      await must(store, 'presence/end', { node: 'test', ids: [id] });
      await eventually(count, (times) => times > came);
      await must(store, 'presence/renew', {
        node: 'dead',
        agents: [{ id: lost }],
        leaseUntil: store.now() + 30,
      });
      await eventReader.until(names(lost));
      const soFar = eventReader.changes().filter(names(lost)).length;
      service.advance(31);
      await eventually(
        () => eventReader.changes().filter(names(lost)).length,
        (times) => times > soFar,
      );

      assert.equal(count(), came + 1, 'a lease that is renewed is no news');
      assert.deepEqual(topicsOf(eventReader.changes()), ['agents']);
    });

    test('an invitation that a client joins is reported to those who see it', async () => {
      const account = await service.account();
      const technician = { type: 'quick_support', permissions: ['quick_support_admin'] } as const;
      const [ann, bob] = [await account.member([technician]), await account.member([technician])];
      const made = await ann.call('support/create', { name: 'Client' });
      const id = made.body['data'].id as number;
      const { code } = (await service.server.store.invitations.find(account.id, id))!;
      const [forAnn, forBob, forOwner] = await listen(account, ann, bob, account.owner);

      await must(service.server.store, 'invitations/join', {
        code,
        key: 'key',
        os: 'linux',
        preview: 'picture',
        until: service.server.store.now() + 60,
        lifetime: 86_400,
      });
      await Promise.all([forAnn, forOwner].map((eventReader) => eventReader.until(names(id))));
      const own = await bob.call('support/create', { name: 'Another' });
      await forBob.until(names(own.body['data'].id as number));

      assert.deepEqual(forAnn.changes(), [{ topic: 'support', ids: [id] }]);
      assert.deepEqual(forBob.changes(), [{ topic: 'support', ids: [own.body['data'].id] }]);
    });

    test('a session that starts and ends is reported to those who see the history of its device', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const ann = await account.member([{ type: 'agent', permissions: ['agent_sessions'], agentId }]);
      const bob = await account.member([{ type: 'agent', permissions: ['agent_connect'], agentId }]);
      const [forAnn, forBob] = await listen(account, ann, bob);
      const { store } = service.server;
      const about = { accountId: account.id, memberId: ann.id, agentId, invitationId: null };
      const geo = { ip: '', country: '', region: '', city: '' };
      const opening = { origin: 'api', permissions: [], secretDigest: '', record: false } as const;
      const { id } = await must(store, 'sessions/start', {
        ...about,
        start: store.now(),
        login: ann.email,
        userAgent: '',
        geo,
        opening,
      });

      await rename(account, agentId);
      const unbegun = await forAnn.until(names(agentId));
      await must(store, 'sessions/begin', { accountId: account.id, id });
      await forAnn.until(topicIs('sessions'));
      await rename(account, agentId);
      await eventually(
        () => forBob.changes().length,
        (length) => length >= 2,
      );

      assert.deepEqual(topicsOf(unbegun), ['agents'], 'one that has not begun is not there yet');
      assert.deepEqual(forAnn.changes().filter(topicIs('sessions')), [{ topic: 'sessions', ids: [id] }]);
      assert.deepEqual(topicsOf(forBob.changes()), ['agents']);
    });

    test('only those who manage technicians receive events of the team, and the owner of a key those of keys', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const grant = { type: 'agent', permissions: ['agent_connect'], agentId } as const;
      const admin = await account.member([
        { type: 'team', permissions: ['team_user_admin', 'team_api_key'] },
      ]);
      const plain = await account.member([grant, { type: 'team', permissions: ['team_api_key'] }]);
      const [forAdmin, forPlain] = await listen(account, admin, plain);

      await account.owner.call('team/department/create', { name: 'Sales' });
      await forAdmin.until(topicIs('team'));
      assert.equal((await plain.call('keys/create', { name: 'mine' })).http, 200);
      await forPlain.until(topicIs('keys'));
      await account.owner.call('account/update', { approve_devices: false });
      await forAdmin.until(topicIs('account'));
      await rename(account, agentId);
      await forPlain.until(names(agentId));

      assert.deepEqual(topicsOf(forAdmin.changes()), ['team', 'account']);
      assert.deepEqual(topicsOf(forPlain.changes()), ['keys', 'agents']);
    });

    test('a member who gains or loses a permission is notified, and from then on receives what they may see', async () => {
      const account = await service.account();
      const [{ id: first }, { id: second }] = [await account.agent(), await account.agent()];
      const ann = await account.member();
      const [eventReader, forOwner] = await listen(account, ann, account.owner);

      await rename(account, first);
      await forOwner.until(names(first));
      const { roleId } = await account.grant(ann, {
        type: 'agent',
        permissions: ['agent_connect'],
        agentId: first,
      });
      await eventReader.until(topicIs('me'));
      assert.deepEqual(agentsIn(eventReader.changes()), []);
      await rename(account, first);
      await eventReader.until(names(first));
      const soFar = eventReader.changes().length;
      await account.owner.call('team/member/access/remove', {
        email: ann.email,
        role_id: roleId,
        agent_id: first,
      });
      await rename(account, first);
      await eventually(
        () => eventReader.changes().slice(soFar),
        (changes) => changes.some(topicIs('me')),
      );
      await rename(account, first);
      await account.grant(ann, { type: 'agent', permissions: ['agent_connect'], agentId: second });
      await rename(account, second);
      await eventReader.until(names(second));

      assert.deepEqual(agentsIn(eventReader.changes().slice(soFar)), [second]);
    });

    test('a flood of changes becomes a handful of events', async () => {
      const account = await service.account();
      const { id: agentId } = await account.agent();
      const agents = await Promise.all(Array.from({ length: 300 }, () => account.agent()));
      const ann = await account.member([{ type: 'agent', permissions: ['agent_connect'], agentId }]);
      const [forOwner, forAnn] = await listen(account, account.owner, ann);
      const { store } = service.server;
      const started = performance.now();

      const ids = [agentId, ...agents.map(({ id }) => id)];
      const changes = kind === 'sqlite' ? 10_000 : 2_000;
      for (let first = 0; first < changes; first += 500)
        await Promise.all(
          Array.from({ length: 500 }, (_, index) => {
            const id = ids[(first + index) % ids.length]!;
            return must(store, 'agents/rename', { accountId: account.id, id, name: `name ${first}` });
          }),
        );
      const took = performance.now() - started;
      const group = await account.group();
      await forOwner.until(topicIs('groups'));
      await forAnn.until(names(agentId));

      const most = Math.ceil(took / 250) + 3;
      const soFar = forOwner.changes().filter(topicIs('agents'));
      assert.ok(group > 0 && soFar.length >= 1 && soFar.length <= most, `${soFar.length} of at most ${most}`);
      assert.ok(
        soFar.every((each) => each.ids === undefined || each.ids.length <= 200),
        'more than 200 are not named',
      );
      assert.ok(soFar.some((each) => each.ids === undefined));
      assert.deepEqual(agentsIn(forAnn.changes()), [agentId]);
    });

    test('a client that reconnects receives what it missed, and nothing twice', async () => {
      const account = await service.account();
      const [{ id: first }, { id: second }] = [await account.agent(), await account.agent()];
      const [eventReader, witness] = await listen(account, account.owner, account.owner);
      await rename(account, first);
      await eventReader.until(names(first));
      eventReader.hangUp();
      await eventReader.over();

      await rename(account, second);
      await witness.until(names(second));
      await using back = await openEventReader(service.testClient, eventReader.panelClient, {
        lastId: eventReader.lastId,
      });
      await back.until(names(second));

      assert.deepEqual(agentsIn(back.changes()), [second]);
      assert.deepEqual(
        back.received.map(({ name }) => name),
        ['change'],
      );
    });

    test('a client that reconnects too late, or with an id of another server, is told to fetch everything again', async () => {
      const account = await service.account();
      const panelClient = await openSignedInPanel(service, account, account.owner);

      await using back = await openEventReader(service.testClient, panelClient, {
        lastId: 'another-server.7.1',
      });
      await eventually(
        () => back.received,
        (received) => received.length > 0,
      );

      assert.deepEqual(
        back.received.map(({ name }) => name),
        ['reset'],
      );
    });

    test('signing out ends the stream, here and not elsewhere', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const [eventReader, elsewhere] = await listen(account, account.owner, account.owner);

      assert.equal((await eventReader.panelClient.ask('sign-out')).http, 200);
      await eventReader.over();
      await rename(account, id);
      await elsewhere.until(names(id));

      assert.equal(eventReader.received.at(-1)?.name, 'end');
      assert.ok(elsewhere.received.every(({ name }) => name === 'change'));
    });

    test('the stream of a member who is removed, or whose session expires, ends', async () => {
      const account = await service.account();
      const [ann, bob] = [await account.member(), await account.member()];
      const [removed, idle] = await listen(account, ann, bob);

      await account.owner.call('team/member/remove', { email: ann.email });
      await removed.over();
      service.advance(1_801);
      await idle.over();

      assert.deepEqual([removed.received.at(-1)?.name, idle.received.at(-1)?.name], ['end', 'end']);
    });

    test('re-authenticating does not end the stream, though the cookie changes', async () => {
      const account = await service.account();
      const { id } = await account.agent();
      const [eventReader] = await listen(account, account.owner);
      const { store } = service.server;
      const [session] = await store.panel.sessions({ accountId: account.id, memberId: account.owner.id });

      await must(store, 'panel/sessions/renew', {
        accountId: account.id,
        id: session!.id,
        digest: `renewed-${kind}`,
        instead: digestOf(eventReader.panelClient.cookie!),
      });
      await eventReader.until(topicIs('me'));
      await rename(account, id);
      await eventReader.until(names(id));

      assert.ok(eventReader.received.every(({ name }) => name === 'change'));
    });

    test('without a cookie, with an API key, or from a foreign page nobody can listen', async () => {
      const account = await service.account();
      const panelClient = await openSignedInPanel(service, account, account.owner);
      const refusedWith = async (cookie: string | undefined, headers: Record<string, string>) => {
        const eventReader = await openEventReader(service.testClient, { cookie }, { headers });
        const { error } = JSON.parse(await eventReader.over()) as { error: { code: string } };
        return [eventReader.http, error.code];
      };

      assert.deepEqual(await refusedWith(undefined, {}), [403, 'signed_out']);
      assert.deepEqual(await refusedWith(undefined, { 'x-api-key': account.owner.apiKey }), [
        403,
        'signed_out',
      ]);
      for (const site of ['cross-site', 'same-site', 'none'])
        assert.deepEqual(await refusedWith(panelClient.cookie, { 'sec-fetch-site': site }), [
          403,
          'cross_site',
        ]);
    });

    test('one browser session can open a limited number of streams until one is closed', async () => {
      const account = await service.account();
      const panelClient = await openSignedInPanel(service, account, account.owner);
      const streams = [];
      for (let each = 0; each < 8; each++)
        streams.push(await openEventReader(service.testClient, panelClient));
      open.push(...streams);

      const refused = await openEventReader(service.testClient, panelClient);
      const { error } = JSON.parse(await refused.over()) as { error: { code: string } };
      streams[0]!.hangUp();
      const again = await eventually(
        () => openEventReader(service.testClient, panelClient),
        ({ http }) => http === 200,
      );

      assert.deepEqual([refused.http, error.code], [429, 'too_many_streams']);
      again.hangUp();
    });

    test('the stream is not compressed, not cached, and does not count as activity', async () => {
      const account = await service.account();
      const panelClient = await openSignedInPanel(service, account, account.owner);
      service.advance(61);

      await using eventReader = await openEventReader(service.testClient, panelClient, {
        headers: { 'accept-encoding': 'gzip, br' },
      });

      const { store } = service.server;
      const [session] = await store.panel.sessions({ accountId: account.id, memberId: account.owner.id });
      assert.equal(session!.seenTime, store.now() - 61);
      assert.equal(eventReader.headers['content-type'], 'text/event-stream');
      assert.equal(eventReader.headers['content-encoding'], undefined);
      assert.equal(eventReader.headers['cache-control'], 'no-store');
    });

    test('changes in another account are never reported', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const [{ id }, { id: foreign }] = [await account.agent(), await other.agent()];
      const [eventReader] = await listen(account, account.owner);

      await rename(other, foreign);
      await rename(account, id);
      await eventReader.until(names(id));

      assert.deepEqual(eventReader.changes(), [{ topic: 'agents', ids: [id] }]);
    });
  });

test('a server that closes ends open streams at once', async () => {
  const service = await startService();
  const account = await service.account();
  const panelClient = await openSignedInPanel(service, account, account.owner);
  const eventReader = await openEventReader(service.testClient, panelClient);
  using started = startStopwatch();

  await service.server.close(30_000);
  await eventReader.over();
  const took = started.ms();
  await service[Symbol.asyncDispose]();

  assert.ok(took < 5_000, `it took ${took} ms`);
  assert.deepEqual(eventReader.received, []);
});
