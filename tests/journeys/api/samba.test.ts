/** Imports from a real Samba AD domain controller. A long run: `DRAWBRIDGE_TEST_SAMBA=1`, as root, with Samba installed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newKey } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { callOperation } from '../../conformance/call-operation.ts';
import { eventually } from '../../kit/eventually.ts';
import { sambaBase, sambaPassword, sambaReader, startSamba, type Samba } from '../../kit/samba.ts';
import {
  connectDirectory,
  countsOf,
  departmentMembers,
  loopbackDirectories,
} from '../../kit/directory-account.ts';
import { must, type TestAccount } from '../../kit/server/account.ts';
import { openPanelClient } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

/** More than a domain controller returns of one attribute at a time. */
const large = 1_510;

/** Grants a department the right to see keys, and calls with a key of somebody in it. */
async function personWithRights(
  { server: { store }, testClient }: TestService,
  { id: accountId, owner }: TestAccount,
  department: string,
  email: string,
) {
  const person = (await store.members.find(accountId, email))!;
  const { apiKey, key } = newKey(random, 'test');
  await must(store, 'keys/create', { accountId, memberId: person.id, key });
  const [{ id: departmentId } = assert.fail()] = await store.departments.list(accountId, {
    search: department,
    offset: 0,
    limit: 1,
  });
  const role = { name: 'keys', type: 'team', permissions: ['team_api_key'], description: '' } as const;
  const { id: roleId } = await must(store, 'roles/create', { accountId, ...role });
  await must(store, 'access/add', { accountId, by: owner.id, holder: { departmentId }, roleId });
  const answer = async () => (await callOperation(testClient, 'keys/list', {}, { apiKey })).http;
  return { id: person.id, answer };
}

const runSamba = (): Promise<void> =>
  describe('a domain controller', () => {
    let service: TestService;
    let samba: Samba;
    before(async () => {
      const everybody = Array.from({ length: large }, (_, at) => `u${at}`);
      const groups = { field: ['bob'], support: ['ann', 'field', 'gone'], everybody };
      const people = { people: ['ann', 'bob', 'gone'], disabled: ['gone'], others: large, groups };
      [service, samba] = await Promise.all([startService({ env: loopbackDirectories }), startSamba(people)]);
    });
    after(async () => {
      await samba[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });

    test('its people, nested groups and groups with many members are imported, its disabled people are not, and they sign in', async () => {
      const { account, run, plan } = await connectDirectory(service, samba, {
        ...sambaReader,
        base: sambaBase,
        person_filter: '(&(objectCategory=person)(objectClass=user))',
        group_filter: '(objectClass=group)',
        sign_in: true,
      });
      const signIn = async (email: string, password: string): Promise<number> =>
        (await openPanelClient(service).ask('sign-in/password', { email, password })).http;

      await eventually(plan, ({ problem }) => problem === '');
      const first = await run();
      const second = await run();
      const signIns = [
        await signIn('ann@example.com', sambaPassword),
        await signIn('ann@example.com', 'wrong 12345'),
        await signIn('gone@example.com', sambaPassword),
      ];

      assert.deepEqual(countsOf(first), { create_person: large + 2, create_department: 3, join: large + 3 });
      assert.deepEqual(countsOf(second), {});
      const { everybody, ...others } = await departmentMembers(service, account);
      assert.deepEqual(others, {
        field: ['bob@example.com'],
        support: ['ann@example.com', 'bob@example.com'],
      });
      assert.equal(new Set(everybody).size, large);
      assert.deepEqual(signIns, [200, 403, 403]);
    });

    test('a renamed and moved person keeps their rights, also over StartTLS; a disabled or deleted one is out, and returns with the same rights', async () => {
      const { account, run, change } = await connectDirectory(service, samba, {
        ...sambaReader,
        base: sambaBase,
        person_filter: '(&(objectCategory=person)(objectClass=user)(|(cn=a*)(cn=b*)))',
        group_filter: '(&(objectClass=group)(!(cn=everybody)))',
        removal_percent: 100,
      });
      const { store } = service.server;
      const atFirst = await run();
      const { answer, id } = await personWithRights(service, account, 'support', 'ann@example.com');
      const answers = [await answer()];
      const moved = `CN=Ann Archer,OU=Moved,${sambaBase}`;
      const control = (value: number): void =>
        samba.modify(
          `dn: ${moved}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: ${value}\n`,
        );
      const runAndAnswer = async () => {
        const report = await run();
        answers.push(await answer());
        return countsOf(report);
      };

      samba.modify(`dn: OU=Moved,${sambaBase}\nchangetype: add\nobjectClass: organizationalUnit\n`);
      samba.rename(`CN=ann,${sambaBase}`, moved);
      samba.rename(`CN=support,${sambaBase}`, `CN=service desk,${sambaBase}`);
      samba.modify(`dn: ${moved}\nchangetype: modify\nreplace: mail\nmail: ann.archer@example.com\n`);
      await change({ url: samba.plainUrl, ...sambaReader });
      const renamed = await runAndAnswer();
      const ann = await store.members.find(account.id, 'ann.archer@example.com');
      control(514);
      const disabled = await runAndAnswer();
      control(512);
      const returned = await runAndAnswer();
      samba.modify(`dn: ${moved}\nchangetype: delete\n`);
      const deleted = await runAndAnswer();

      assert.deepEqual(countsOf(atFirst), { create_person: 2, create_department: 2, join: 3 });
      assert.deepEqual(renamed, { change_email: 1, rename_department: 1 });
      assert.equal(ann?.id, id);
      assert.deepEqual(disabled, { disable_person: 1 });
      assert.deepEqual(returned, { enable_person: 1 });
      assert.deepEqual(deleted, { disable_person: 1 });
      assert.deepEqual(answers, [200, 200, 403, 200, 403]);
    });
  });

if (process.env['DRAWBRIDGE_TEST_SAMBA'] === '1') void runSamba();
