/** Random imports from directories, which give and take the rights of departments. */
import { unique } from '../store/fixture.ts';
import { directorySettings } from '../store/people/directory-fixture.ts';
import { agentOf, groupOf, personOf, type ShownChange, type Step } from './step-context.ts';

/** A person joins a department with a grant by one import, and leaves it by the next one, or not. */
export const directorySteps: Pick<Record<ShownChange, Step>, 'directories/apply'> = {
  'directories/apply': async (context) => {
    const { account, draw, run, store } = context;
    const { accountId, ownerId: by } = account;
    const name = unique();
    const settings = { ...directorySettings, name, adopt: true };
    const created = await run('directories/create', { accountId, by, bindPassword: '', settings });
    const people = [{ uid: 'a', dn: 'uid=a', email: personOf(context).email, disabled: false }];
    const load = (...members: string[]) => {
      const snapshot = { people, groups: [{ uid: 'g', dn: 'cn=g', name, members }] };
      return run('directories/apply', {
        accountId,
        id: created!.id,
        by,
        reading: { snapshot },
        confirmedPercent: 0,
      });
    };
    await load();
    const [department] = await store.departments.list(accountId, { search: name, offset: 0, limit: 1 });
    const role = draw.pick(account.roles)!;
    const target = role.type === 'agent' ? { agentId: agentOf(context) } : { groupId: groupOf(context) };
    const holder = { departmentId: department!.id };
    await run('access/add', { accountId, by, holder, roleId: role.id, ...target });
    await load('uid=a');
    if (draw.below(2) === 0) await load();
    await run('directories/remove', { accountId, id: created!.id });
  },
};
