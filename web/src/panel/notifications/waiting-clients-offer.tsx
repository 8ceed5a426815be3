/** Offers on the quick support page to be notified when a client waits. */
import { post } from '../api.ts';
import { maySeeInvitations, signedInUser } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { attempt, showNotice } from '../ui/notices.ts';
import { browserState, turnOnBrowserNotifications } from './browser-notifications.ts';
import { useSubscriptions, type SubscriptionRow } from './subscription-form.tsx';

const texts = t.notifications;

/** Adds waiting clients to what the user is subscribed to and may still subscribe to. */
function subscribe(all: SubscriptionRow | undefined): Promise<unknown> {
  const before = all && signedInUser.value.notify ? all.kinds : [];
  const kinds = [...new Set([...before, 'client_waits' as const])];
  return post('notifications/subscribe/all', { kinds, ...(all && { minutes: all.minutes }) });
}

async function turnOn(all: SubscriptionRow | undefined): Promise<void> {
  await turnOnBrowserNotifications();
  if (browserState.value === 'denied') return showNotice(texts.settings.browserDenied);
  if (browserState.value === 'on') await attempt(() => subscribe(all), texts.clients.done);
}

export function WaitingClientsOffer() {
  const found = useSubscriptions().value.value;
  const all = found?.data.find(({ target }) => target === 'all');
  const isOn = browserState.value === 'on' && all?.kinds.includes('client_waits');
  const isPossible = browserState.value === 'on' || browserState.value === 'off';
  if (!found || isOn || !isPossible || !maySeeInvitations()) return null;
  return (
    <p>
      <TextButton icon="bell" onClick={() => void turnOn(all)}>
        {texts.clients.offer}
      </TextButton>
    </p>
  );
}
