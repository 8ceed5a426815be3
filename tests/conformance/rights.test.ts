/**
 * The rights matrix: every operation by every kind of caller, each cell as decided, and nothing changed by a
 * refusal.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { databases } from '../kit/server/database.ts';
import { must, type TestPerson } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { callOperation, operationIds, operationTable } from './call-operation.ts';
import { withoutRights, withAllRights, createTechnician, technicians } from './callers/callers.ts';
import { formerTechnicians } from './callers/former-callers.ts';
import { openDatabaseProbe, type DatabaseProbe } from './database-probe.ts';
import { assertDone, assertRefused, codeFor, type RefusalKind } from './outcomes.ts';
import type { ExpectedOutcome } from './operation-rows/rules.ts';
import type { OperationParams } from './operation-rows/row.ts';
import { namesResource, operationRows } from './operation-rows/index.ts';
import { insertInvitation, createResources } from './resources.ts';
import { type AccountResources } from './account-resources.ts';

interface Caller {
  name: string;
  apiKey: string | undefined;
  /** The member id in the log; absent if the service cannot know who it was. */
  email?: string;
  outcome(id: OperationId, params: OperationParams): ExpectedOutcome | 'unauthenticated';
}

/** A caller whose single permission is held through a department, or is one that no operation requires. */
const isOneOfMany = (name: string): boolean =>
  name.endsWith('through a department') ||
  (/ on the (device|group)$/.test(name) &&
    !/^agent_(connect|control|change_settings|logout|reboot|wake_on_lan) /.test(name));

for (const { kind, skip } of databases)
  describe(`rights on ${kind}`, { skip }, () => {
    /**
     * The log of an account is one chain, and slow if each row is a separate commit: there, fewer cells stand
     * for all.
     */
    const asked = kind === 'sqlite' ? technicians : technicians.filter(({ name }) => !isOneOfMany(name));
    let service: TestService;
    let probe: DatabaseProbe;
    /** The targets of all callers. Refusals do not change them, and successes that would use their own. */
    let resources: AccountResources;
    let abroad: AccountResources;
    let params: Map<OperationId, OperationParams>;
    let callers: Caller[];

    before(async () => {
      service = await startService({ database: kind });
      probe = await openDatabaseProbe(service);
      resources = createResources(service, await service.account());
      abroad = createResources(service, await service.account());
      params = new Map();
      for (const id of operationIds) params.set(id, await operationRows[id].request(resources, service));
      callers = [...(await team()), ...(await gone()), ...(await outsiders())];
    });
    after(async () => {
      await probe.close();
      await service[Symbol.asyncDispose]();
    });

    const callerOf = (name: string, { apiKey, email }: TestPerson, outcome: Caller['outcome']): Caller => ({
      name,
      apiKey,
      email,
      outcome,
    });

    const team = (): Promise<Caller[]> =>
      Promise.all(
        asked.map(async (each) =>
          callerOf(each.name, await createTechnician(resources, each), (id) =>
            operationRows[id].outcome(each.held),
          ),
        ),
      );

    /**
     * Callers who held every permission until just now. Each calls something first, so that they are cached.
     */
    async function gone(): Promise<Caller[]> {
      const { account } = resources;
      const seen = async (): Promise<TestPerson> => {
        const person = await createTechnician(resources, withAllRights);
        assert.equal((await person.call('team/role/list')).http, 200);
        return person;
      };
      const former: Caller[] = [];
      for (const { name, loseRights: befalls, remains, ...each } of formerTechnicians) {
        const person = await each.create(resources, service);
        await each.assertHolds(resources, person, service);
        await befalls(service, resources, person);
        former.push(callerOf(name, person, (id) => operationRows[id].outcome(remains.held)));
      }
      // Otherwise the service would do it at any moment, while it is seen that refusals change nothing.
      await must(service.server.store, 'requests/sweep', { createdBefore: 0 });
      const [removed, revoked, expired, away] = [await seen(), await seen(), await seen(), await seen()];
      await must(service.server.store, 'members/remove', { accountId: account.id, email: removed.email });
      const [revokedKey, expiredKey, awayKey] = [
        await account.key(revoked),
        await account.key(expired, { expireTime: service.server.store.now() }),
        await account.key(away, { networks: ['10.99.0.0/16', '2001:db8::/32'] }),
      ];
      const key = { accountId: account.id, memberId: revoked.id, id: revokedKey.keyId };
      assert.equal((await revokedKey.call('team/role/list')).http, 200);
      await must(service.server.store, 'keys/revoke', key);
      const nobody = (): 'unauthenticated' => 'unauthenticated';
      return [
        ...former,
        { name: 'a removed technician', apiKey: removed.apiKey, outcome: nobody },
        callerOf('a revoked key', revokedKey, nobody),
        callerOf('an expired key', expiredKey, nobody),
        callerOf('a key used from a network it does not allow', awayKey, nobody),
      ];
    }

    async function outsiders(): Promise<Caller[]> {
      const nobody = (): 'unauthenticated' => 'unauthenticated';
      const [everything, nothing] = [
        await createTechnician(abroad, withAllRights),
        await createTechnician(abroad, withoutRights),
      ];
      const unseen = (
        { apiKey }: TestPerson,
        name: string,
        home: (id: OperationId) => ExpectedOutcome,
      ): Caller => ({
        name,
        apiKey,
        outcome: (id, aimed) => (home(id) === 'done' && namesResource(id, aimed) ? 'not_found' : home(id)),
      });
      const atHome = (id: OperationId): ExpectedOutcome =>
        operationRows[id].outcome(withAllRights.held) === 'forbidden' ? 'forbidden' : 'done';
      return [
        unseen(abroad.account.owner, 'the owner of another account', () => 'done'),
        unseen(everything, 'a technician of another account with every permission', atHome),
        {
          name: 'a technician of another account with nothing',
          apiKey: nothing.apiKey,
          outcome: (id, aimed) => outsiderWithNothing(id, aimed),
        },
        { name: 'no key', apiKey: undefined, outcome: nobody },
        { name: 'a malformed key', apiKey: 'not-a-key', outcome: nobody },
        { name: 'an unknown key', apiKey: 'A'.repeat(64), outcome: nobody },
      ];
    }

    /**
     * Devices and groups are looked up before permissions on them; permissions in the team and in quick
     * support come first.
     */
    function outsiderWithNothing(id: OperationId, aimed: OperationParams): ExpectedOutcome {
      const { outcome } = operationRows[id];
      const own = outcome(withoutRights.held);
      const onlyOnTargets = { ...withAllRights.held, team: () => false, quick: () => false };
      const isOnTarget = own === 'forbidden' && outcome(onlyOnTargets) !== 'forbidden';
      return isOnTarget && namesResource(id, aimed) ? 'not_found' : own;
    }

    const outcomeOf = (caller: Caller, id: OperationId) => caller.outcome(id, params.get(id)!);
    const askFor = ({ apiKey }: Caller, id: OperationId) =>
      callOperation(service.testClient, id, params.get(id)!, { apiKey });

    for (const id of operationIds)
      test(`${id} refuses every caller without the permission, changes nothing and logs it once`, async () => {
        const refused = callers.filter((caller) => outcomeOf(caller, id) !== 'done');
        const known = refused.filter(({ email }) => email !== undefined);
        const earlier = await probe.digest(resources.account.id);

        const lines = await probe.linesOf(
          resources.account.id,
          () =>
            Promise.all(
              refused.map(async (caller) => {
                const answer = await askFor(caller, id);
                assertRefused(id, answer, outcomeOf(caller, id) as RefusalKind, {
                  because: `by ${caller.name}`,
                });
              }),
            ),
          known.length,
        );

        assert.deepEqual(await probe.digest(resources.account.id), earlier);
        assert.deepEqual(
          [...(await resources.agent()).plug.commands, ...(await resources.target()).plug.commands],
          [],
        );
        assert.deepEqual(
          lines.map(({ email, operation, outcome }) => `${email} ${operation} ${outcome}`).toSorted(),
          known
            .map((caller) => `${caller.email} ${id} ${codeFor(outcomeOf(caller, id) as RefusalKind)}`)
            .toSorted(),
        );
      });

    for (const id of operationIds.filter((each) => operationTable[each].method === 'GET'))
      test(`${id} succeeds for every caller with the permission, and reads are not logged`, async () => {
        const allowed = callers.filter((caller) => outcomeOf(caller, id) === 'done');
        const earlier = await probe.digest(resources.account.id);

        const lines = await probe.linesOf(resources.account.id, () =>
          Promise.all(allowed.map(async (caller) => assertDone(id, await askFor(caller, id), caller.name))),
        );

        assert.ok(allowed.length > 0);
        assert.deepEqual(lines, []);
        assert.deepEqual(await probe.digest(resources.account.id), earlier);
      });

    for (const id of operationIds.filter((each) => operationTable[each].method === 'POST'))
      test(`${id} succeeds for every caller with the permission, and is logged once`, async () => {
        const allowed = await Promise.all(
          asked
            .filter(({ held }) => operationRows[id].outcome(held) === 'done')
            .map(async (who) => {
              const fresh = createResources(service, resources.account);
              const { apiKey, email } = await createTechnician(fresh, who);
              return {
                name: who.name,
                apiKey,
                email,
                aimed: await operationRows[id].request(fresh, service),
              };
            }),
        );

        const lines = await probe.linesOf(resources.account.id, () =>
          Promise.all(
            allowed.map(async ({ name, apiKey, aimed }) =>
              assertDone(id, await callOperation(service.testClient, id, aimed, { apiKey }), `by ${name}`),
            ),
          ),
        );

        assert.deepEqual(
          lines.map(({ email, operation, outcome }) => `${email} ${operation} ${outcome}`).toSorted(),
          allowed.map(({ email }) => `${email} ${id} ${operationRows[id].logged ?? 'done'}`).toSorted(),
        );
      });

    test('the owner may do everything, and each change is logged once', async () => {
      for (const id of operationIds) {
        const fresh = createResources(service, await service.account());
        const { owner } = fresh.account;
        const aimed = await operationRows[id].request(fresh, service);

        const lines = await probe.linesOf(fresh.account.id, async () =>
          assertDone(id, await callOperation(service.testClient, id, aimed, owner), 'by the owner'),
        );

        const expected =
          operationTable[id].method === 'GET' ? [] : [[owner.email, id, operationRows[id].logged ?? 'done']];
        assert.deepEqual(
          lines.map(({ email, operation, outcome }) => [email, operation, outcome]),
          expected,
        );
      }
    });

    test('with access to own invitations only, and to own keys, a caller may do everything to them', async () => {
      const person = await resources.account.member([
        { type: 'quick_support', permissions: ['quick_support_admin', 'agent_connect'] },
        { type: 'team', permissions: ['team_api_key'] },
      ]);
      const mine = await insertInvitation(service, resources.account, person);
      const { keyId } = await resources.account.key(person);
      const connection_id = mine.id;

      assertDone(
        'support/info',
        await callOperation(service.testClient, 'support/info', { connection_id }, person),
      );
      for (const id of ['support/update', 'support/connect', 'support/close'] as const)
        assertDone(id, await callOperation(service.testClient, id, { connection_id }, person));
      assertDone(
        'keys/revoke',
        await callOperation(service.testClient, 'keys/revoke', { id: keyId }, person),
      );
    });
  });
