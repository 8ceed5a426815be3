/** The link to the notifications, with the number of unread ones and of what waits for a decision. */
import { path } from '../router.ts';
import { t } from '../texts/index.ts';
import { numeral } from '../texts/language.ts';
import { Icon } from '../ui/icon.tsx';
import { unreadCount, waitingCount } from './notification-store.ts';

export const Bell = () => {
  const text = t.notifications.bell(unreadCount.value, waitingCount.value);
  const count = unreadCount.value + waitingCount.value;
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
