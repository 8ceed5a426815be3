/** Imports from a real Samba AD domain controller. A long run: `DRAWBRIDGE_TEST_SAMBA=1`, as root, with Samba installed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../kit/eventually.ts';
import { sambaBase, sambaPassword, sambaReader, startSamba, type Samba } from '../../kit/samba.ts';
import {
  connectDirectory,
  countsOf,
  departmentMembers,
  loopbackDirectories,
} from '../../kit/directory-account.ts';
import { openPanelClient } from '../../kit/server/panel.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

/** More than a domain controller returns of one attribute at a time. */
const large = 1_510;

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
  });

if (process.env['DRAWBRIDGE_TEST_SAMBA'] === '1') void runSamba();
