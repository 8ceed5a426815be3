/** The page with the policy of the account. */
import { AdminPage } from '../admin/admin-page.tsx';
import { get, post } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { Section } from '../ui/layout.tsx';
import { ResourceView } from '../ui/states.tsx';
import { PolicyForm } from './policy-form.tsx';

export function AccountPolicyPage() {
  const policy = useResource(
    'policy',
    async (options) => (await get('v1/account/policy', {}, options)).data,
    ['account'],
  );
  return (
    <AdminPage here="policy" lead={t.policies.accountLead}>
      <ResourceView resource={policy}>
        {(found) => (
          <Section>
            <PolicyForm
              policy={found}
              level="account"
              save={async (choices) => {
                await post('v1/account/policy/update', choices);
                await policy.reload();
              }}
            />
          </Section>
        )}
      </ResourceView>
    </AdminPage>
  );
}
