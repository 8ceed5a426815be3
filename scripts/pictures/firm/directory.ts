/** The directory of the fictional firm, after its last import. */
import { must, type TestAccount } from '../../../tests/kit/server/account.ts';
import type { TestService } from '../../../tests/kit/server/service.ts';
import { elif } from './people.ts';

const apprentice = {
  uid: 'elif',
  dn: 'cn=elif,dc=brightwater,dc=example',
  email: elif,
  disabled: false,
};

export async function addFirmDirectory(
  { server: { store } }: TestService,
  { id: accountId, owner }: TestAccount,
): Promise<number> {
  const settings = {
    name: 'Head office',
    url: 'ldaps://dc1.brightwater.example',
    ca: '',
    bindDn: 'cn=drawbridge,dc=brightwater,dc=example',
    base: 'dc=brightwater,dc=example',
    personFilter: '(objectClass=person)',
    groupFilter: '(objectClass=groupOfNames)',
    adopt: true,
    signIn: true,
    everyMinutes: 60,
    removalPercent: 20,
  };
  const bindPassword = 'brightwater';
  const created = { accountId, by: owner.id, bindPassword, settings };
  const { id } = await must(store, 'directories/create', created);
  const groups = [{ uid: 'trainees', dn: '', name: 'Trainees', members: [apprentice.dn] }];
  const reading = { snapshot: { people: [apprentice], groups } };
  await must(store, 'directories/apply', { accountId, id, by: owner.id, reading, confirmedPercent: 0 });
  return id;
}
