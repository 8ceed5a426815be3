/** The link to the notifications, with the number of unread ones, of what waits for a decision, and of people with emergency access. */
import { path } from '../router.ts';
import { t } from '../texts/index.ts';
import { numeral } from '../texts/language.ts';
import { Icon } from '../ui/icon.tsx';
import { emergencyCount, unreadCount, waitingCount } from './notification-store.ts';

export const Bell = () => {
  const text = t.notifications.bell(unreadCount.value, waitingCount.value, emergencyCount.value);
  const count = unreadCount.value + waitingCount.value + emergencyCount.value;
  return (
    <a
      class="icon-button bell"
      href="/panel/notifications"
      aria-label={text}
      title={text}
      aria-current={path.value === '/panel/notifications' ? 'page' : undefined}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span class="bell-count" aria-hidden="true">
          {count > 99 ? `${numeral(99)}+` : numeral(count)}
        </span>
      )}
    </a>
  );
};
