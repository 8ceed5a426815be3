/** Who may do what, as the panel explains it: by entry, by member, by device. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { panel } from '@drawbridge/contract/panel/index';
import { permissionIds } from '@drawbridge/contract/permissions';
import { must, type TestAccount } from '../kit/server/account.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';

type AccessId = 'access/entries' | 'access/person' | 'access/device' | 'access/permissions';

interface Told {
  reasons: unknown[];
  rights: { permission: string; through: number[] }[][];
}

/** Each set with its reasons, which are named by their numbers. */
const explained = ({ reasons, rights }: Told) =>
  rights.map((set) =>
    set.map(({ permission, through }) => ({ permission, through: through.map((each) => reasons[each]) })),
  );

for (const { kind, skip } of databases)
  describe(`access in the panel on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const askedBy = async (
      account: TestAccount,
      person: { id: number },
      id: AccessId,
      params: Record<string, unknown> = {},
    ) => {
      const answer = await (await openSignedInPanel(service, account, person)).ask(id, params);
      if (answer.http === 200) panel[id].output.parse(answer.body);
      return answer;
    };
    /** What the owner sees. */
    const readAccess = async (account: TestAccount, id: AccessId, params: Record<string, unknown> = {}) => {
      const answer = await askedBy(account, account.owner, id, params);
      assert.equal(answer.http, 200);
      return answer.body['data'];
    };

    /** Who may do what on a device. */
    async function holdersOf(account: TestAccount, agentId: number) {
      const { http, body } = await askedBy(account, account.owner, 'access/device', { agent_id: agentId });
      assert.equal(http, 200);
      const sets = explained(body as unknown as Told);
      return (body['data'] as { email: string; owner: boolean; rights: number }[]).map(
        ({ rights, ...who }) => ({ ...who, permissions: sets[rights]! }),
      );
    }

    /** Ann has one role on a device, and through a department one on its group. */
    async function fixture() {
      const account = await service.account();
      const group = await account.group('Office');
      const device = await account.agent({ groupId: group, name: 'Desk' });
      const other = await account.agent({ groupId: group, name: 'Lamp' });
      await account.agent({ name: 'Elsewhere' });
      const ann = await account.member([
        { type: 'agent', permissions: ['agent_connect', 'agent_reboot'], agentId: device.id },
        { type: 'group', permissions: ['agent_connect'], groupId: group, byDepartment: true },
        { type: 'team', permissions: ['team_user_admin'] },
        { type: 'quick_support', permissions: ['quick_support_admin'] },
      ]);
      const entries = (await readAccess(account, 'access/entries')) as Record<string, unknown>[];
      const byScope = new Map(entries.map((entry) => [entry['type'], entry]));
      return { account, group, device, other, ann, byScope };
    }

    test('every granted role is listed with its holder and its target', async () => {
      const { account, group, device, ann } = await fixture();

      const entries = (await readAccess(account, 'access/entries')) as Record<string, any>[];
      const onDevice = await readAccess(account, 'access/entries', { agent_id: device.id });
      const onGroup = await readAccess(account, 'access/entries', { group_id: group });

      assert.deepEqual(
        entries.map(({ type }) => type),
        ['agent', 'group', 'team', 'quick_support'],
      );
      const [direct, shared] = entries;
      assert.deepEqual(
        [direct!['email'], direct!['agent_id'], direct!['agent'], direct!['default']],
        [ann.email, device.id, 'Desk', false],
      );
      assert.deepEqual(
        [shared!['email'], shared!['group_id'], shared!['group'], typeof shared!['department']],
        [undefined, group, 'Office', 'string'],
      );
      assert.deepEqual([onDevice, onGroup], [[direct], [shared]]);
      for (const filter of [
        { role_id: shared!['role_id'] },
        { department_id: shared!['department_id'] },
        { role_id: shared!['role_id'], department_id: shared!['department_id'] },
      ])
        assert.deepEqual(await readAccess(account, 'access/entries', filter), [shared]);
      const own = await readAccess(account, 'access/entries', { email: ann.email.toUpperCase() });
      assert.deepEqual(own, [direct, ...entries.slice(2)], 'without those of the department');
    });

    test('a member’s page says on which devices they may do what, and through what', async () => {
      const { account, group, device, other, ann, byScope } = await fixture();
      const [direct, shared] = [byScope.get('agent')!, byScope.get('group')!];

      const person = await readAccess(account, 'access/person', { email: ann.email });

      const onDevice = {
        role_id: direct['role_id'],
        role: direct['role'],
        scope: 'agent',
        agent_id: device.id,
      };
      const onGroup = {
        role_id: shared['role_id'],
        role: shared['role'],
        scope: 'group',
        group_id: group,
        group: 'Office',
        department_id: shared['department_id'],
        department: shared['department'],
      };
      assert.deepEqual(
        person.devices.map((each: { id: number; name: string; group_id: number; rights: number }) => ({
          ...each,
          rights: explained(person)[each.rights],
        })),
        [
          {
            id: device.id,
            name: 'Desk',
            group_id: group,
            rights: [
              { permission: 'agent_connect', through: [onDevice, onGroup] },
              { permission: 'agent_reboot', through: [onDevice] },
            ],
          },
          {
            id: other.id,
            name: 'Lamp',
            group_id: group,
            rights: [{ permission: 'agent_connect', through: [onGroup] }],
          },
        ],
      );
      assert.deepEqual([person.email, person.owner], [ann.email, false]);
      const permissions = (held: { permission: string }[]) => held.map(({ permission }) => permission);
      assert.deepEqual(permissions(person.team), ['team_user_admin']);
      assert.deepEqual(permissions(person.support), ['quick_support_admin']);
    });

    test('the owner may do everything on every device, only because of being the owner', async () => {
      const { account } = await fixture();

      const person = await readAccess(account, 'access/person', { email: account.owner.email });

      const all = permissionIds('agent').map((permission) => ({ permission, through: [] }));
      assert.deepEqual([person.owner, person.rights, person.devices.length], [true, [all], 3]);
      assert.deepEqual(new Set(person.devices.map(({ rights }: { rights: number }) => rights)), new Set([0]));
      assert.equal(person.team.length, permissionIds('team').length);
    });

    test('a device’s page says who may do what on it, and nobody else is named', async () => {
      const { account, device, other, ann } = await fixture();
      await account.member([{ type: 'team', permissions: ['team_user_admin'] }]);
      await account.member([{ type: 'agent', permissions: [], agentId: device.id }]);

      const [people, elsewhere] = [await holdersOf(account, device.id), await holdersOf(account, other.id)];

      assert.deepEqual(
        people.map(({ email, owner, permissions }) => [email, owner, permissions.length]),
        [
          [account.owner.email, true, permissionIds('agent').length],
          [ann.email, false, 2],
        ],
      );
      const person = await readAccess(account, 'access/person', { email: ann.email });
      assert.deepEqual(people[1]!.permissions, explained(person)[0], 'both sides tell the same');
      assert.deepEqual(elsewhere[1]!.permissions, explained(person)[1]);
    });

    test('what is removed disappears from every view', async () => {
      const { account, device, ann, byScope } = await fixture();
      await must(service.server.store, 'access/remove', {
        accountId: account.id,
        by: account.owner.id,
        holder: { email: ann.email },
        roleId: byScope.get('agent')!['role_id'] as number,
        agentId: device.id,
      });

      const [, onDevice] = await holdersOf(account, device.id);
      const person = await readAccess(account, 'access/person', { email: ann.email });

      assert.equal(onDevice!.permissions.length, 1);
      assert.equal(person.rights.length, 1);
      assert.deepEqual(await readAccess(account, 'access/entries', { agent_id: device.id }), []);
    });

    test('only those who manage technicians can read it; the catalogue of permissions is open to all', async () => {
      const { account, device, ann } = await fixture();
      const plain = await account.member([
        { type: 'team', permissions: permissionIds('team').filter((each) => each !== 'team_user_admin') },
      ]);

      for (const [id, params] of [
        ['access/entries', {}],
        ['access/person', { email: ann.email }],
        ['access/device', { agent_id: device.id }],
      ] as const) {
        assert.equal((await askedBy(account, plain, id, params)).http, 403, id);
        assert.equal((await askedBy(account, ann, id, params)).http, 200, id);
      }
      const catalogue = await askedBy(account, plain, 'access/permissions');
      assert.deepEqual(Object.keys(catalogue.body['data']), ['agent', 'group', 'quick_support', 'team']);
    });

    test('members and devices of another account are not found', async () => {
      const [account, other] = [await service.account(), await service.account()];
      const { id } = await other.agent();

      const person = await askedBy(account, account.owner, 'access/person', { email: other.owner.email });
      const device = await askedBy(account, account.owner, 'access/device', { agent_id: id });

      assert.deepEqual([person.body.error?.code, device.body.error?.code], ['not_found', 'not_found']);
    });
  });
