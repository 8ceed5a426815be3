/** Callers of the rights matrix who have just lost what they held: by a change, by an import, or because its time is over. */
import assert from 'node:assert/strict';
import type { Permission } from '@drawbridge/contract/permissions';
import type { Store } from '@drawbridge/server/store/store';
import { must, type TestPerson } from '../../kit/server/account.ts';
import type { TestService } from '../../kit/server/service.ts';
import type { AccountResources } from '../account-resources.ts';
import {
  createImported,
  createTechnician,
  technician,
  whole,
  withAllRights,
  withAllRightsByDepartment,
  withAllRightsByImport,
  withoutRights,
  type Technician,
} from './callers.ts';

/** A caller who held something a moment ago; the name says how they lost it. */
interface FormerTechnician {
  name: string;
  create(resources: AccountResources, service: TestService): Promise<TestPerson>;
  /** Calls something that they may call while they hold it, so that their rights are cached. */
  assertHolds(resources: AccountResources, person: TestPerson, service: TestService): Promise<void>;
  /** What is left to them. */
  remains: Technician;
  loseRights(service: TestService, resources: AccountResources, person: TestPerson): Promise<void>;
}

const held = (was: Technician): Pick<FormerTechnician, 'create' | 'assertHolds' | 'remains'> => ({
  create: (resources) => createTechnician(resources, was),
  assertHolds: async (_resources, person) => assert.equal((await person.call('team/role/list')).http, 200),
  remains: withoutRights,
});

const seesGroup = technician('agent_chat on the group', [{ where: 'group', permissions: ['agent_chat'] }]);

/** Somebody who asked for every permission on the group and got it for a second: less than a request can name. */
async function createApproved(resources: AccountResources, { server }: TestService): Promise<TestPerson> {
  const { id: accountId, owner } = resources.account;
  const person = await createTechnician(resources, seesGroup);
  const permissions = whole('group').permissions as readonly Permission[];
  const role = { accountId, name: 'wanted', type: 'group', description: '', permissions } as const;
  const { id: roleId } = await must(server.store, 'roles/create', role);
  const wanted = { accountId, memberId: person.id, roleId, reason: 'Ticket 7', minutes: 1 };
  const groupId = await resources.group();
  const { id } = await must(server.store, 'requests/create', { ...wanted, groupId });
  await must(server.store, 'requests/approve', { accountId, by: owner.id, id, minutes: 1 / 60 });
  return person;
}

const waitForEnd: FormerTechnician['loseRights'] = async (service) => service.advance(1);

/** By person: loses the department. */
const importedDepartments = new Map<number, () => Promise<void>>();

/** Those whose time ends come one after the other, because they advance the clock. */
export const formerTechnicians: FormerTechnician[] = [
  {
    name: 'whose grants ended just now',
    ...held(withAllRights),
    create: async (resources, { server }) =>
      resources.account.member(
        (await withAllRights.grants(resources)).map((grant) => ({ ...grant, until: server.store.now() + 1 })),
      ),
    loseRights: waitForEnd,
  },
  {
    name: 'whose requested access ended just now',
    create: createApproved,
    async assertHolds(resources, person, { server }) {
      const { id: agent_id } = await resources.agent();
      assert.equal((await person.call('agents/info', { agent_id })).http, 200);
      const actor = await server.store.actors.byId(resources.account.id, person.id);
      assert.ok(actor?.grants.some(({ permissions }) => permissions.includes('agent_reboot')));
    },
    remains: seesGroup,
    loseRights: waitForEnd,
  },
  {
    name: 'who left the group of the directory just now',
    ...held(withAllRightsByImport),
    async create(resources) {
      const { person, department } = await createImported(
        resources,
        await withAllRightsByImport.grants(resources),
      );
      importedDepartments.set(person.id, department.empty);
      return person;
    },
    loseRights: async (_service, _resources, { id }) => importedDepartments.get(id)!(),
  },
  {
    name: 'whose roles were removed just now',
    ...held(withAllRights),
    async loseRights({ server: { store } }, { account: { id: accountId } }, person) {
      for (const { roleId } of await store.access.ofMember(accountId, person.id))
        await must(store, 'roles/remove', { accountId, id: roleId });
    },
  },
  {
    name: 'whose grants were taken just now',
    ...held(withAllRights),
    async loseRights({ server: { store } }, { account: { id: accountId, owner } }, { id, email }) {
      for (const { roleId, agentId, groupId } of await store.access.ofMember(accountId, id))
        await must(store, 'access/remove', {
          accountId,
          by: owner.id,
          holder: { email },
          roleId,
          ...(agentId !== null && { agentId }),
          ...(groupId !== null && { groupId }),
        });
    },
  },
  {
    name: 'whose roles were emptied just now',
    ...held(withAllRights),
    async loseRights({ server: { store } }, { account: { id: accountId, owner } }, person) {
      for (const { roleId: id } of await store.access.ofMember(accountId, person.id))
        await must(store, 'roles/edit', { accountId, by: owner.id, id, permissions: [] });
    },
  },
  {
    name: 'who was taken out of the departments just now',
    ...held(withAllRightsByDepartment),
    async loseRights({ server: { store } }, { account: { id: accountId } }, { email }) {
      for (const { id } of await departmentsOf(store, accountId, email))
        await must(store, 'departments/member-remove', { accountId, id, email });
    },
  },
  {
    name: 'whose departments were removed just now',
    ...held(withAllRightsByDepartment),
    async loseRights({ server: { store } }, { account: { id: accountId } }, { email }) {
      for (const { id } of await departmentsOf(store, accountId, email))
        await must(store, 'departments/remove', { accountId, id });
    },
  },
];

const departmentsOf = async (store: Store, accountId: number, email: string) =>
  (await store.members.list(accountId, { search: email, offset: 0, limit: 1 })).members[0]!.departments;
