/**
 * The rights matrix again, for people at the panel: the same operations by cookie, each cell as decided for
 * keys.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { panelV1Prefix } from '@drawbridge/contract/panel/index';
import type { OperationId } from '@drawbridge/contract/v1/index';
import { must } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openPanelClient, openSignedInPanel, type PanelClient } from '../kit/server/panel.ts';
import { callOperation, operationIds, operationTable } from './call-operation.ts';
import { withAllRights, createTechnician, technicians } from './callers/callers.ts';
import { openDatabaseProbe, type DatabaseProbe } from './database-probe.ts';
import { assertDone, assertRefused, codeFor, type RefusalKind } from './outcomes.ts';
import type { ExpectedOutcome } from './operation-rows/rules.ts';
import type { OperationParams } from './operation-rows/row.ts';
import { operationRows } from './operation-rows/index.ts';
import { createResources } from './resources.ts';
import { type AccountResources } from './account-resources.ts';

interface Caller {
  name: string;
  browser: PanelClient;
  /** The member id in the log; absent if the service cannot know who it was. */
  email?: string;
  outcome(id: OperationId): ExpectedOutcome | 'unauthenticated';
}

/**
 * Whether a permission comes directly or through a department is decided independently of the kind of
 * credential.
 */
const covering = technicians.filter(({ name }) => !name.endsWith('through a department'));

describe('rights at the panel', () => {
  let service: TestService;
  let probe: DatabaseProbe;
  let resources: AccountResources;
  let params: Map<OperationId, OperationParams>;
  let callers: Caller[];

  before(async () => {
    service = await startService();
    probe = await openDatabaseProbe(service);
    resources = createResources(service, await service.account());
    params = new Map();
    for (const id of operationIds) params.set(id, await operationRows[id].request(resources, service));
    callers = [...(await Promise.all(covering.map(member))), ...(await others())];
  });
  after(async () => {
    await probe.close();
    await service[Symbol.asyncDispose]();
  });

  async function member(who: (typeof technicians)[number]): Promise<Caller> {
    const person = await createTechnician(resources, who);
    const browser = await openSignedInPanel(service, resources.account, person);
    return {
      name: who.name,
      browser,
      email: person.email,
      outcome: (id) => operationRows[id].outcome(who.held),
    };
  }

  /** Callers without an identity: removed, signed out, never signed in. */
  async function others(): Promise<Caller[]> {
    const { account } = resources;
    const [removed, left] = [
      await createTechnician(resources, withAllRights),
      await createTechnician(resources, withAllRights),
    ];
    const gone = await openSignedInPanel(service, account, removed);
    const out = await openSignedInPanel(service, account, left);
    for (const each of [gone, out]) assert.equal((await each.v1('team/role/list')).http, 200);
    const { cookie, csrf } = out;
    await must(service.server.store, 'members/remove', { accountId: account.id, email: removed.email });
    await out.ask('sign-out');
    Object.assign(out, { cookie, csrf });
    const outcome = (): 'unauthenticated' => 'unauthenticated';
    return [
      { name: 'a removed technician', browser: gone, outcome },
      { name: 'who has signed out', browser: out, outcome },
      { name: 'who never signed in', browser: openPanelClient(service), outcome },
    ];
  }

  const askAs = (browser: PanelClient, id: OperationId, aimed: OperationParams) =>
    callOperation(service.testClient, id, aimed, {
      prefix: panelV1Prefix,
      headers: browser.headers(operationTable[id].method),
    });

  for (const id of operationIds)
    test(`${id} refuses at the panel whom it refuses by key, changes nothing and logs it once`, async () => {
      const refused = callers.filter(({ outcome }) => outcome(id) !== 'done');
      const known = refused.filter(({ email }) => email !== undefined);
      const earlier = await probe.digest(resources.account.id);

      const lines = await probe.linesOf(
        resources.account.id,
        () =>
          Promise.all(
            refused.map(async ({ name, browser, outcome }) => {
              const as = outcome(id) as RefusalKind;
              const detail = {
                because: `by ${name}`,
                ...(as === 'unauthenticated' && { code: 'signed_out' }),
              };
              assertRefused(id, await askAs(browser, id, params.get(id)!), as, detail);
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
        known.map(({ email, outcome }) => `${email} ${id} ${codeFor(outcome(id) as RefusalKind)}`).toSorted(),
      );
    });

  test('anyone who may read by key reads at the panel, and it is not logged', async () => {
    const reads = operationIds.filter((id) => operationTable[id].method === 'GET');

    const lines = await probe.linesOf(resources.account.id, async () => {
      for (const id of reads)
        for (const { name, browser } of callers.filter(({ outcome }) => outcome(id) === 'done'))
          assertDone(id, await askAs(browser, id, params.get(id)!), `by ${name}`);
    });

    assert.deepEqual(lines, []);
  });

  test('the owner may do everything at the panel, and each change is logged once', async () => {
    for (const id of operationIds) {
      const fresh = createResources(service, await service.account());
      const { owner } = fresh.account;
      const aimed = await operationRows[id].request(fresh, service);
      const browser = await openSignedInPanel(service, fresh.account, owner);

      const lines = await probe.linesOf(fresh.account.id, async () =>
        assertDone(id, await askAs(browser, id, aimed), 'by the owner'),
      );

      assert.deepEqual(
        lines.map(({ email, operation, outcome }) => [email, operation, outcome]),
        operationTable[id].method === 'GET' ? [] : [[owner.email, id, operationRows[id].logged ?? 'done']],
      );
    }
  });

  test('the resources of another account are not found, however many permissions one has in one’s own', async () => {
    const abroad = await service.account();
    const browser = await openSignedInPanel(service, abroad, abroad.owner);
    const named = operationIds.filter((id) =>
      operationTable[id].needs.some(({ on }) => /^(agent|group|file|session|invitation)$/.test(on)),
    );
    const earlier = await probe.digest(resources.account.id);

    for (const id of named) assertRefused(id, await askAs(browser, id, params.get(id)!), 'not_found');

    assert.ok(named.length > 20);
    assert.deepEqual(await probe.digest(resources.account.id), earlier);
  });
});
