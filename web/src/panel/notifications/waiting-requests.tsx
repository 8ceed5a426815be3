/** The requests for access that wait for the user's decision, as entries above the notifications. */
import type { OutputOf } from '../api.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { requestsPath, requestTitle } from './notification-store.ts';

const texts = t.notifications.requests;

export const WaitingRequests = ({ total, data }: OutputOf<'notifications'>['requests']) => (
  <ul class="notifications framed" aria-label={texts.label}>
    {data.map((each) => (
      <li key={each.id} class="notification unread">
        <Icon name="key" />
        <span class="two-lines">
          <a href={requestsPath}>{requestTitle(each)}</a>
          <span class="quiet">
            <RelativeTime time={each.time} /> · <span dir="auto">{each.reason}</span>
          </span>
        </span>
      </li>
    ))}
    {total > data.length && (
      <li class="notification">
        <Icon name="key" />
        <a href={requestsPath}>{texts.more(total - data.length)}</a>
      </li>
    )}
  </ul>
);
