/** The page that lists what waits for the user's decision, and the user's notifications, newest first. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { get, post, type ApiRequestOptions, type OutputOf } from '../api.ts';
import { useKeepPrevious, useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { IconButton, LinkButton, TextButton } from '../ui/button.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageLayout, Tabs } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import { RelativeTime } from '../ui/time.tsx';
import type { ListedNotification } from './notification-store.ts';
import { WaitingApprovals } from './waiting-approvals.tsx';
import { Emergencies, WaitingRequests } from './waiting-requests.tsx';

const texts = t.notifications;

const pageSize = 50;
/** The server keeps no more. */
const maxShown = 500;

export const NotificationsLayout = ({
  here,
  actions,
  children,
}: {
  here: 'list' | 'settings';
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <PageLayout title={texts.title} actions={actions}>
    <Tabs
      label={texts.tabs.label}
      tabs={[
        { href: '/panel/notifications', text: texts.tabs.list, here: here === 'list' },
        { href: '/panel/notifications/settings', text: texts.tabs.settings, here: here === 'settings' },
      ]}
    />
    {children}
  </PageLayout>
);

const icons: Record<ListedNotification['kind'], IconName> = {
  offline: 'warning',
  back: 'check',
  session_began: 'view',
  new_device: 'add',
  client_waits: 'chat',
};

/** Where to look further: at the device, at the list of devices, or at the clients. */
function hrefOf({ kind, devices, count }: ListedNotification): string {
  if (kind === 'client_waits') return '/panel/support';
  return count === 1 && devices[0] ? `/panel/devices/${devices[0].id}` : '/panel/devices';
}

const markRead = (id: number): Promise<unknown> => attempt(() => post('notifications/read', { ids: [id] }));

const NotificationItem = ({ item }: { item: ListedNotification }) => (
  <li class={item.read ? 'notification' : 'notification unread'}>
    <Icon name={icons[item.kind]} />
    <span class="two-lines">
      <a href={hrefOf(item)} onClick={() => void (item.read || markRead(item.id))}>
        {item.title}
      </a>
      <span class="quiet">
        <RelativeTime time={item.time} />
        {!item.read && ` · ${texts.list.unread}`}
      </span>
    </span>
    {!item.read && (
      <IconButton icon="check" title={texts.list.read(item.title)} onClick={() => void markRead(item.id)} />
    )}
  </li>
);

const NoNotifications = () => (
  <EmptyState icon="bell" title={texts.list.none}>
    <p class="quiet">{texts.list.noneText}</p>
    <LinkButton href="/panel/notifications/settings">{texts.list.toSettings}</LinkButton>
  </EmptyState>
);

type Page = OutputOf<'notifications'>;

/** Loads as many as are shown, in pages of the size that the server allows. */
async function loadNotifications(count: number, background: boolean | undefined): Promise<Page> {
  const data: ListedNotification[] = [];
  let first: Page | undefined;
  for (;;) {
    const limit = Math.min(pageSize, count - data.length);
    const before = data.at(-1)?.id;
    const options = background === undefined ? {} : { background };
    const page = await get('notifications', { limit, ...(before !== undefined && { before }) }, options);
    data.push(...page.data);
    first ??= page;
    const { requests, emergencies, approvals } = first;
    if (!page.more || data.length >= count) return { ...page, data, requests, emergencies, approvals };
  }
}

const NotificationList = ({ data, more, onMore }: Pick<Page, 'data' | 'more'> & { onMore: () => void }) => (
  <>
    <ul class="notifications framed" aria-label={texts.list.label}>
      {data.map((item) => (
        <NotificationItem key={item.id} item={item} />
      ))}
    </ul>
    {more && data.length < maxShown && <TextButton onClick={onMore}>{texts.list.older}</TextButton>}
    <p class="hint">{texts.list.kept}</p>
  </>
);

const markAllRead = (newest: ListedNotification): Promise<unknown> =>
  attempt(() => post('notifications/read', { up_to: newest.id }));

export function NotificationsPage() {
  const [count, setCount] = useState(pageSize);
  const load = ({ background }: ApiRequestOptions): Promise<Page> => loadNotifications(count, background);
  const found = useKeepPrevious(useResource(`notifications ${count}`, load, ['notifications', 'team']));
  const page = found.value.value;
  const newest = page && page.unread > 0 ? page.data[0] : undefined;
  return (
    <NotificationsLayout
      here="list"
      actions={
        newest && (
          <TextButton icon="check" onClick={() => void markAllRead(newest)}>
            {texts.list.readAll}
          </TextButton>
        )
      }
    >
      <ResourceView resource={found}>
        {({ data, more, requests, emergencies, approvals }) => (
          <>
            {emergencies.total > 0 && <Emergencies {...emergencies} />}
            {approvals.total > 0 && <WaitingApprovals {...approvals} />}
            {requests.total > 0 && <WaitingRequests {...requests} />}
            {data.length > 0 && (
              <NotificationList data={data} more={more} onMore={() => setCount(count + pageSize)} />
            )}
            {data.length + requests.total + emergencies.total + approvals.total === 0 && <NoNotifications />}
          </>
        )}
      </ResourceView>
    </NotificationsLayout>
  );
}
