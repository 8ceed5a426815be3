/** Random sign-ins with an identity provider, whose groups give and take the rights of departments. */
import { arrival, someDigest, someProvider, unique } from '../store/fixture.ts';
import { agentOf, groupOf, personOf, type ShownChange, type Step } from './step-context.ts';

/** A person joins a department with a grant by one sign-in, and leaves it by the next one, or not. */
export const providerSteps: Pick<Record<ShownChange, Step>, `providers/${'sign-in' | 'logout'}`> = {
  'providers/logout': async (context) => {
    const { account, run, store } = context;
    const { accountId, ownerId: by } = account;
    const created = await run('providers/create', { accountId, by, ...someProvider, signInName: unique() });
    const id = created!.id;
    await run('sessions/start', {
      accountId,
      memberId: by,
      agentId: agentOf(context),
      invitationId: null,
      start: store.now(),
      login: 'someone',
      userAgent: '',
      geo: arrival.geo,
      signIn: { providerId: id, sid: 'one' },
    });
    const logout = { jti: unique(), sid: 'one', subject: undefined };
    await run('providers/logout', { accountId, id, logout, rememberUntil: store.now() + 60 });
    await run('providers/remove', { accountId, id });
  },

  'providers/sign-in': async (context) => {
    const { account, draw, run } = context;
    const { accountId, ownerId: by } = account;
    const created = await run('providers/create', { accountId, by, ...someProvider, signInName: unique() });
    const department = await run('departments/create', { accountId, name: unique(), worker: false });
    const [id, departmentId] = [created!.id, department!.id];
    await run('providers/group-add', { accountId, by, id, group: 'staff', departmentId });
    const role = draw.pick(account.roles)!;
    const target = role.type === 'agent' ? { agentId: agentOf(context) } : { groupId: groupOf(context) };
    await run('access/add', { accountId, by, holder: { departmentId }, roleId: role.id, ...target });
    const known = { subject: unique(), email: undefined, emailVerified: undefined };
    await run('providers/link', {
      accountId,
      memberId: personOf(context).id,
      id,
      person: { ...known, groups: [] },
    });
    const signIn = (...groups: string[]) => {
      const session = { digest: someDigest(), address: '', userAgent: '' };
      return run('providers/sign-in', { accountId, id, person: { ...known, groups }, session });
    };
    await signIn('staff');
    if (draw.below(2) === 0) await signIn();
    await run('providers/remove', { accountId, id });
  },
};
