/** The section with the policy of a device. */
import { get, post } from '../api.ts';
import type { TabProps } from '../devices/details/device-details.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { Section } from '../ui/layout.tsx';
import { ResourceView } from '../ui/states.tsx';
import { PolicyForm } from './policy-form.tsx';

export function DevicePolicy({ device: { id }, reload }: TabProps) {
  const policy = useResource(
    `policy ${id}`,
    (options) => get('v1/agents/policy', { agent_id: id }, options),
    ['agents'],
    { isRelevant: (ids) => ids.includes(id) },
  );
  const save: Parameters<typeof PolicyForm>[0]['save'] = async (choices) => {
    await post('v1/agents/policy/update', { agent_id: id, ...choices });
    await Promise.all([reload(), policy.reload()]);
  };
  return (
    <Section title={t.policies.title} lead={t.policies.deviceLead}>
      <ResourceView resource={policy}>
        {({ data, enforced }) => (
          <>
            {!enforced && <p class="quiet">{t.policies.notEnforced}</p>}
            <PolicyForm policy={data} level="device" save={save} />
          </>
        )}
      </ResourceView>
    </Section>
  );
}
