/** The page with the account's plan and its usage. */
import { get } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { ResourceView } from '../ui/states.tsx';
import { AdminPage } from './admin-page.tsx';
import { MeterRow } from './meter.tsx';
import { meterNames } from './meters.ts';

const texts = t.admin.plan;

export function PlanPage() {
  const plan = useResource('plan', async (options) => (await get('v1/plan/info', {}, options)).data, [
    'account',
    'agents',
    'support',
  ]);
  return (
    <AdminPage here="plan" lead={texts.lead}>
      <ResourceView resource={plan}>
        {(meters) => (
          <section class="section meters" aria-label={t.admin.tabs.plan}>
            {meterNames.map((name) => {
              const meter = meters[name];
              return (
                <MeterRow
                  key={name}
                  name={name}
                  meter={meter}
                  says={texts.says[name]}
                  {...('resets' in meter && { resets: meter.resets })}
                />
              );
            })}
          </section>
        )}
      </ResourceView>
    </AdminPage>
  );
}
