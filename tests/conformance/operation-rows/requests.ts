/** Valid requests that several rows share. */
import { must } from '../../kit/server/account.ts';
import type { TestService } from '../../kit/server/service.ts';
import type { AccountResources } from '../account-resources.ts';
import { uniqueText } from '../resources.ts';
import type { MakeRequest } from './row.ts';

/** The role granted to the colleague, and to the colleague's department. */
async function grantRole(resources: AccountResources, service: TestService): Promise<void> {
  const { id: accountId, owner } = resources.account;
  const [roleId, departmentId, { email }] = [
    await resources.role(),
    await resources.department(),
    await resources.colleague(),
  ];
  const { store } = service.server;
  await must(store, 'departments/member-add', { accountId, by: owner.id, id: departmentId, email });
  await must(store, 'access/add', { accountId, by: owner.id, holder: { email }, roleId });
  await must(store, 'access/add', { accountId, by: owner.id, holder: { departmentId }, roleId });
}

export const nothing: MakeRequest = async () => ({});
export const byInvitation: MakeRequest = async (it) => ({ connection_id: await it.invitation() });
export const byAgent: MakeRequest = async (it) => ({ id: (await it.agent()).id });
export const byAgentId: MakeRequest = async (it) => ({ agent_id: (await it.agent()).id });
export const byFile: MakeRequest = async (it) => ({ id: await it.file() });
export const bySession: MakeRequest = async (it) => ({ id: await it.session() });
export const byGroup: MakeRequest = async (it) => ({ id: await it.group() });
export const byRole: MakeRequest = async (it) => ({ id: await it.role() });
export const byDepartment: MakeRequest = async (it) => ({ id: await it.department() });
export const byDirectory: MakeRequest = async (it) => ({ id: await it.directory() });
export const byProvider: MakeRequest = async (it) => ({ id: await it.provider() });
export const byScimToken: MakeRequest = async (it) => ({ id: await it.scimToken() });
export const byWebhook: MakeRequest = async (it) => ({ id: await it.webhook() });
export const byEmail: MakeRequest = async (it) => ({ email: (await it.colleague()).email });
export const grantRequest: MakeRequest = async (it, service) => ({
  ...(await byEmail(it, service)),
  role_id: await it.role(),
});
export const departmentGrantRequest: MakeRequest = async (it) => ({
  department_id: await it.department(),
  role_id: await it.role(),
});
export const membershipRequest: MakeRequest = async (it) => ({
  id: await it.department(),
  email: (await it.colleague()).email,
});
export const afterGrant =
  (asks: MakeRequest): MakeRequest =>
  async (it, service) => (await grantRole(it, service), asks(it, service));
export const withName =
  (name: string, asks: MakeRequest = nothing): MakeRequest =>
  async (it, service) => ({ ...(await asks(it, service)), [name]: `new ${uniqueText()}` });
