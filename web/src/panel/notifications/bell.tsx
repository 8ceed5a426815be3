/** The link to the notifications, with the number of unread ones. */
import { path } from '../router.ts';
import { t } from '../texts/index.ts';
import { numeral } from '../texts/language.ts';
import { Icon } from '../ui/icon.tsx';
import { unreadCount } from './notification-store.ts';

export const Bell = () => {
  const text = t.notifications.bell(unreadCount.value);
  return (
    <a
      class="icon-button bell"
      href="/panel/notifications"
      aria-label={text}
      title={text}
      aria-current={path.value === '/panel/notifications' ? 'page' : undefined}
    >
      <Icon name="bell" />
      {unreadCount.value > 0 && (
        <span class="bell-count" aria-hidden="true">
          {unreadCount.value > 99 ? `${numeral(99)}+` : numeral(unreadCount.value)}
        </span>
      )}
    </a>
  );
};
