/** The tab in which a user subscribes to a device. */
import { post } from '../../../api.ts';
import {
  deviceKinds,
  formKey,
  SubscriptionForm,
  useSubscriptions,
  type SubscriptionRow,
} from '../../../notifications/subscription-form.tsx';
import { t } from '../../../texts/index.ts';
import { Section } from '../../../ui/layout.tsx';
import { ResourceView } from '../../../ui/states.tsx';
import type { Device } from '../../device.ts';
import type { TabProps } from '../device-details.ts';

const texts = t.notifications.device;

/** Which subscription applies to the device now. */
function describe(device: Device, all: readonly SubscriptionRow[]): string {
  if (all.some((each) => each.agent_id === device.id)) return texts.own;
  const wider =
    all.find((each) => each.group_id !== 0 && each.group_id === device.group_id) ??
    all.find((each) => each.target === 'all');
  if (!wider) return texts.none;
  return texts.inherited(wider.target === 'all' ? texts.everything : wider.name);
}

export function NotificationsTab({ device }: TabProps) {
  const subscriptions = useSubscriptions();
  return (
    <Section title={texts.title}>
      <ResourceView resource={subscriptions}>
        {({ data }) => {
          const current = data.find((each) => each.agent_id === device.id);
          return (
            <SubscriptionForm
              key={formKey(current)}
              kinds={deviceKinds}
              current={current}
              onSave={(choice) => post('notifications/subscribe/device', { agent_id: device.id, ...choice })}
            >
              <p class="quiet">{describe(device, data)}</p>
            </SubscriptionForm>
          );
        }}
      </ResourceView>
    </Section>
  );
}
