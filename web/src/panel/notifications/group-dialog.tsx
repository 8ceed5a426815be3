/** The dialog in which a user subscribes to the devices of a group. */
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { ResourceView } from '../ui/states.tsx';
import { formKey, groupKinds, SubscriptionForm, useSubscriptions } from './subscription-form.tsx';

interface NamedGroup {
  id: number;
  name: string;
}

function GroupSubscriptionDialog({ group, close }: { group: NamedGroup; close: () => void }) {
  const subscriptions = useSubscriptions();
  const save = async (choice: { kinds: (typeof groupKinds)[number][]; minutes: number }): Promise<void> => {
    await post('notifications/subscribe/group', { group_id: group.id, ...choice });
    close();
  };
  return (
    <Dialog title={t.notifications.group.title(group.name)} onClose={close}>
      <ResourceView resource={subscriptions}>
        {({ data }) => {
          const current = data.find((each) => each.group_id === group.id);
          return (
            <SubscriptionForm key={formKey(current)} kinds={groupKinds} current={current} onSave={save} />
          );
        }}
      </ResourceView>
    </Dialog>
  );
}

export const openGroupNotifications = (group: NamedGroup): Promise<void> =>
  openDialog((close) => <GroupSubscriptionDialog group={group} close={close} />);
