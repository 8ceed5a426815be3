/** The requests for access that wait for the user's decision, and emergency access, as entries above the notifications. */
import type { ComponentChildren } from 'preact';
import type { OutputOf } from '../api.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { emergenciesPath, emergencyTitle, requestsPath, requestTitle } from './notification-store.ts';

const texts = t.notifications.requests;
const emergencyTexts = t.notifications.emergencies;

interface Entry {
  id: number;
  title: string;
  when: ComponentChildren;
  reason: string;
}

const Entries = ({
  label,
  path,
  total,
  all,
}: {
  label: string;
  path: string;
  total: number;
  all: Entry[];
}) => (
  <ul class="notifications framed" aria-label={label}>
    {all.map(({ id, title, when, reason }) => (
      <li key={id} class="notification unread">
        <Icon name="key" />
        <span class="two-lines">
          <a href={path}>{title}</a>
          <span class="quiet">
            {when} · <span dir="auto">{reason}</span>
          </span>
        </span>
      </li>
    ))}
    {total > all.length && (
      <li class="notification">
        <Icon name="key" />
        <a href={path}>{texts.more(total - all.length)}</a>
      </li>
    )}
  </ul>
);

export const WaitingRequests = ({ total, data }: OutputOf<'notifications'>['requests']) => (
  <Entries
    label={texts.label}
    path={requestsPath}
    total={total}
    all={data.map((each) => ({
      ...each,
      title: requestTitle(each),
      when: <RelativeTime time={each.time} />,
    }))}
  />
);

export const Emergencies = ({ total, data }: OutputOf<'notifications'>['emergencies']) => (
  <Entries
    label={emergencyTexts.label}
    path={emergenciesPath}
    total={total}
    all={data.map((each) => ({
      ...each,
      title: emergencyTitle(each),
      when: (
        <>
          {emergencyTexts.until} <RelativeTime time={each.until} />
        </>
      ),
    }))}
  />
);
