/**
 * An account for a test: its owner, members with grants, groups and devices, created directly in the store.
 */
import { randomBytes } from 'node:crypto';
import type { Client, OperationId } from '@drawbridge/client';
import { isFault } from '@drawbridge/contract/faults';
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import type { Hardware } from '@drawbridge/contract/hardware';
import type { Permission, RoleType } from '@drawbridge/contract/permissions';
import { newAccount, newKey } from '@drawbridge/server/compose/create-account';
import { random, digestOf } from '@drawbridge/server/edges/random';
import type { RunningServer } from '@drawbridge/server/compose/server';
import type { NewAgent } from '@drawbridge/server/store/records';
import type { ChangeInput, ChangeName, ChangeOutput } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';
import { createDepartmentImporter, type ImportedDepartment } from '../imported-department.ts';
import type { TestClient } from './test-client.ts';

export interface TestGrant {
  type: RoleType;
  permissions: readonly Permission[];
  agentId?: number;
  groupId?: number;
  /** Grants to a department that the member joins, instead of to the member. */
  byDepartment?: boolean;
  /** Grants to this department, which the member is in. */
  departmentId?: number;
  /** When it ends. */
  until?: number;
}

export interface TestPerson {
  id: number;
  email: string;
  apiKey: string;
  client: Client;
  /** The response of an operation: status code, headers and body, refused or not. */
  call(
    id: OperationId,
    params?: Record<string, unknown>,
    bytes?: Uint8Array<ArrayBuffer>,
  ): Promise<{ http: number; headers: Headers; body: ReplyBody }>;
}

/** A response body as tests read it. */
export type ReplyBody = Record<string, any> & {
  status?: number;
  error?: { code: string; message: string; field?: string };
};

export interface TestAccount {
  id: number;
  owner: TestPerson;
  /** Creates a member with a key and these grants. */
  member(grants?: readonly TestGrant[], email?: string): Promise<TestPerson>;
  /** Creates another key of the same member. */
  key(
    person: TestPerson,
    options?: { expireTime?: number; networks?: string[] },
  ): Promise<TestPerson & { keyId: number }>;
  grant(person: TestPerson, grant: TestGrant): Promise<{ roleId: number; departmentId?: number }>;
  group(name?: string): Promise<number>;
  department(name?: string): Promise<number>;
  /** Imports a department. This person, who comes under the control of the directory, is in it. */
  importedDepartment(person: TestPerson): Promise<ImportedDepartment>;
  agent(given?: Partial<NewAgent> & { hardware?: string }): Promise<{ id: number; deviceId: number }>;
}

/** Runs a change that must not be refused. */
export async function must<Name extends ChangeName>(
  store: Store,
  name: Name,
  input: ChangeInput<Name>,
): Promise<Exclude<ChangeOutput<Name>, { fault: string }>> {
  const outcome = await store.change(name, input);
  if (isFault(outcome)) throw new Error(`${name} was refused: ${JSON.stringify(outcome)}`);
  return outcome as Exclude<ChangeOutput<Name>, { fault: string }>;
}

const unique = (): string => randomBytes(6).toString('hex');

export const hardwareWith = (some: Partial<Hardware>): string =>
  JSON.stringify({ ...emptyHardware, ...some });

function createPerson(testClient: TestClient, id: number, email: string, apiKey: string): TestPerson {
  const client = testClient.sdkClient(apiKey);
  return {
    id,
    email,
    apiKey,
    client,
    call: (operation, params = {}, bytes) => client.request(operation, params, { bytes }),
  };
}

interface AccountState {
  store: Store;
  testClient: TestClient;
  accountId: number;
  ownerId: number;
}

async function createMember(
  { store, testClient, accountId }: AccountState,
  email = `tech-${unique()}@example.com`,
): Promise<TestPerson> {
  const link = { digest: digestOf(unique()), expireTime: store.now() + 600 };
  const { id } = await must(store, 'members/invite', { accountId, email, link });
  const { apiKey, key } = newKey(random, 'test');
  await must(store, 'keys/create', { accountId, memberId: id, key });
  return createPerson(testClient, id, email, apiKey);
}

async function createDepartment({ store, accountId }: AccountState, name: string): Promise<number> {
  return (await must(store, 'departments/create', { accountId, name, worker: false })).id;
}

async function grantTo(
  state: AccountState,
  { email }: TestPerson,
  { type, permissions, agentId, groupId, byDepartment, until, departmentId: joined }: TestGrant,
): Promise<{ roleId: number; departmentId?: number }> {
  const { store, accountId, ownerId: by } = state;
  const role = { accountId, name: `role ${unique()}`, type, description: '', permissions };
  const { id: roleId } = await must(store, 'roles/create', role);
  const departmentId = byDepartment ? await createDepartment(state, `department ${unique()}`) : joined;
  if (byDepartment && departmentId !== undefined)
    await must(store, 'departments/member-add', { accountId, by, id: departmentId, email });
  const holder = departmentId === undefined ? { email } : { departmentId };
  await must(store, 'access/add', { accountId, by, holder, roleId, agentId, groupId, until });
  return { roleId, ...(departmentId !== undefined && { departmentId }) };
}

export async function createAccount(
  { store, config }: RunningServer,
  testClient: TestClient,
  ownerEmail = `owner-${unique()}@example.com`,
): Promise<TestAccount> {
  const made = newAccount(random, ownerEmail, config.publicUrl, store.now());
  const { accountId, memberId } = await must(store, 'accounts/create', made.input);
  const state: AccountState = { store, testClient, accountId, ownerId: memberId };
  return {
    id: accountId,
    owner: createPerson(testClient, memberId, made.input.email, made.apiKey),
    async member(grants = [], email) {
      const person = await createMember(state, email);
      for (const grant of grants) await grantTo(state, person, grant);
      return person;
    },
    async key({ id: ofId, email }, { expireTime, networks = [] } = {}) {
      const { apiKey, key } = newKey(random, 'another', expireTime ?? null);
      const limited = { ...key, networks };
      const { id: keyId } = await must(store, 'keys/create', { accountId, memberId: ofId, key: limited });
      return { ...createPerson(testClient, ofId, email, apiKey), keyId };
    },
    grant: (person, grant) => grantTo(state, person, grant),
    group: async (name = `group ${unique()}`) => (await must(store, 'groups/create', { accountId, name })).id,
    department: (name = `department ${unique()}`) => createDepartment(state, name),
    importedDepartment: createDepartmentImporter(store, { accountId, by: memberId }),
    agent: (given = {}) =>
      must(store, 'agents/add', {
        accountId,
        deviceIds: Array.from({ length: 5 }, () => Number(random.digits(9))),
        name: `device ${unique()}`,
        groupId: null,
        secret: random.token(),
        os: 'linux',
        hardware: JSON.stringify(emptyHardware),
        ...given,
      }),
  };
}
