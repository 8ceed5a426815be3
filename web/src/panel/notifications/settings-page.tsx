/** The page on which a user chooses how they are notified, and sees what they subscribed to. */
import { useState } from 'preact/hooks';
import { notificationKinds, type NotificationKind } from '@drawbridge/contract/choices';
import { get, post } from '../api.ts';
import { maySeeInvitations, signedInUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { IconButton, TextButton } from '../ui/button.tsx';
import { Checkbox, Form } from '../ui/forms/form.tsx';
import { Section } from '../ui/layout.tsx';
import { showNotice } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import {
  browserState,
  turnOffBrowserNotifications,
  turnOnBrowserNotifications,
} from './browser-notifications.ts';
import { NotificationsLayout } from './notifications-page.tsx';
import {
  endSubscription,
  formKey,
  groupKinds,
  SubscriptionForm,
  useSubscriptions,
  type SubscriptionRow,
  type Subscriptions,
} from './subscription-form.tsx';

const texts = t.notifications.settings;

/** The kinds that the user may subscribe to at all. */
const offeredKinds = (): NotificationKind[] => [
  ...(signedInUser.value.notify ? groupKinds : []),
  ...(maySeeInvitations() ? (['client_waits'] as const) : []),
];

function MailForm({ mail }: { mail: readonly NotificationKind[] }) {
  const [chosen, setChosen] = useState(mail);
  const save = async (): Promise<void> => {
    await post('notifications/settings/update', { mail: [...chosen] });
    showNotice(t.common.saved);
  };
  return (
    <Form submit={t.common.save} onSubmit={save}>
      <h3>{texts.mail}</h3>
      <p class="quiet">{texts.mailLead(signedInUser.value.email)}</p>
      {notificationKinds.map((kind) => (
        <Checkbox
          key={kind}
          label={t.notifications.kinds[kind]}
          checked={chosen.includes(kind)}
          onChange={(isOn) => setChosen(isOn ? [...chosen, kind] : chosen.filter((each) => each !== kind))}
        />
      ))}
    </Form>
  );
}

function MailSettings() {
  const settings = useResource(
    'notification settings',
    (options) => get('notifications/settings', {}, options),
    ['notifications'],
  );
  if (!signedInUser.value.mail) return <p class="quiet">{texts.noMail}</p>;
  return (
    <ResourceView resource={settings}>
      {({ mail }) => <MailForm key={mail.join()} mail={mail} />}
    </ResourceView>
  );
}

const browserTexts = {
  on: texts.browserIsOn,
  off: texts.browserIsOff,
  denied: texts.browserDenied,
  missing: texts.browserMissing,
};

const BrowserSettings = () => (
  <div class="form">
    <h3>{texts.browser}</h3>
    <p class="quiet">{texts.browserLead}</p>
    <p role="status">{browserTexts[browserState.value]}</p>
    {browserState.value === 'off' && (
      <div class="row">
        <TextButton onClick={() => void turnOnBrowserNotifications()}>{texts.browserOn}</TextButton>
      </div>
    )}
    {browserState.value === 'on' && (
      <div class="row">
        <TextButton onClick={() => void turnOffBrowserNotifications()}>{texts.browserOff}</TextButton>
      </div>
    )}
  </div>
);

function nameOf({ target, name, silent }: SubscriptionRow): string {
  if (target === 'all') return texts.all;
  return silent ? texts.gone[target] : texts.of[target](name);
}

function reportsOf({ kinds, minutes, silent }: SubscriptionRow): string {
  if (silent) return texts.silent;
  if (kinds.length === 0) return texts.muted;
  const names = kinds.map((kind) => t.notifications.kinds[kind]).join(' · ');
  const isTimed = kinds.includes('offline') || kinds.includes('back');
  return isTimed ? `${names} (${texts.after(minutes)})` : names;
}

const SubscriptionItem = ({ item }: { item: SubscriptionRow }) => (
  <li class="notification">
    <span class="two-lines">
      {item.agent_id === 0 ? (
        <strong>{nameOf(item)}</strong>
      ) : (
        <a href={`/panel/devices/${item.agent_id}?tab=notifications`}>{nameOf(item)}</a>
      )}
      <span class="quiet">{reportsOf(item)}</span>
    </span>
    <IconButton icon="trash" title={texts.end(nameOf(item))} onClick={() => void endSubscription(item)} />
  </li>
);

function SubscriptionSections({ found: { data, limit } }: { found: Subscriptions }) {
  const everything = data.find(({ target }) => target === 'all');
  const others = data.filter(({ target }) => target !== 'all');
  const kinds = offeredKinds();
  return (
    <>
      {(kinds.length > 0 || everything) && (
        <Section title={texts.all} lead={texts.allLead}>
          <SubscriptionForm
            key={formKey(everything)}
            kinds={kinds}
            current={everything}
            onSave={(choice) => post('notifications/subscribe/all', choice)}
          />
        </Section>
      )}
      <Section title={texts.subscriptions} lead={others.length === 0 ? texts.none : undefined}>
        {others.length > 0 && (
          <ul class="notifications" aria-label={texts.subscriptions}>
            {others.map((item) => (
              <SubscriptionItem key={item.id} item={item} />
            ))}
          </ul>
        )}
        <p class="hint">{texts.limit(limit)}</p>
      </Section>
    </>
  );
}

export function NotificationSettingsPage() {
  const subscriptions = useSubscriptions();
  return (
    <NotificationsLayout here="settings">
      <div class="profile">
        <Section title={texts.channels} lead={texts.panel}>
          <BrowserSettings />
          <MailSettings />
        </Section>
        <ResourceView resource={subscriptions}>
          {(found) => <SubscriptionSections found={found} />}
        </ResourceView>
      </div>
    </NotificationsLayout>
  );
}
