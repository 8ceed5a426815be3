/** The page of one device: its details and actions in tabs. */
import type { FunctionComponent } from 'preact';
import { get } from '../../api.ts';
import { mayInTeam } from '../../current-user.ts';
import type { PageProps } from '../../pages.ts';
import { PanelApiError } from '../../panel-api-error.ts';
import { useResource } from '../../resource.ts';
import { type Resource } from '../../resource-types.ts';
import { navigate, query } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton, LinkButton } from '../../ui/button.tsx';
import { PageLayout, Tabs } from '../../ui/layout.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { wakeDevice } from '../actions/actions.tsx';
import { ConnectButton, Star } from '../list/device-parts.tsx';
import { DeviceMenu } from '../actions/device-menu.tsx';
import { readableId, toDevices, type Device } from '../device.ts';
import { openAskDialog } from '../../requests/ask-dialog.tsx';
import { may } from '../rights.ts';
import type { DeviceDetails, TabProps } from './device-details.ts';
import { OnlineDot, RestrictionBadge, DeviceState } from '../device-state.tsx';
import { AccessTab } from './tabs/access.tsx';
import { FilesTab } from './tabs/files.tsx';
import { HardwareTab } from './tabs/hardware.tsx';
import { HistoryTab } from './tabs/history.tsx';
import { NotificationsTab } from './tabs/notifications.tsx';
import { OverviewTab } from './tabs/overview.tsx';
import { SettingsTab } from './tabs/settings.tsx';
import { SoftwareTab } from './tabs/software.tsx';

const texts = t.device;

interface TabSpec {
  text: string;
  render: FunctionComponent<TabProps>;
  isOffered?: (device: Device) => boolean;
}

const tabs: Record<string, TabSpec> = {
  overview: { text: texts.tabs.overview, render: OverviewTab },
  hardware: { text: texts.tabs.hardware, render: HardwareTab },
  software: {
    text: texts.tabs.software,
    render: SoftwareTab,
    isOffered: (device) => may(device, 'agent_program_list'),
  },
  files: { text: texts.tabs.files, render: FilesTab },
  history: {
    text: texts.tabs.history,
    render: HistoryTab,
    isOffered: (device) => may(device, 'agent_sessions'),
  },
  access: { text: texts.tabs.access, render: AccessTab, isOffered: () => mayInTeam('team_user_admin') },
  notifications: {
    text: texts.tabs.notifications,
    render: NotificationsTab,
    isOffered: (device) => may(device, 'agent_notification'),
  },
  settings: {
    text: texts.tabs.settings,
    render: SettingsTab,
    isOffered: (device) => may(device, 'agent_change_settings') || may(device, 'agent_logout'),
  },
};

/**
 * Reloads only when this device changes. Events about groups and sessions do not name the devices concerned, so all of
 * them cause a reload.
 */
const useDeviceDetails = (id: number): Resource<DeviceDetails> =>
  useResource(
    `device ${id}`,
    async (options) => {
      const [listing, { data: info }] = await Promise.all([
        get('devices', { ids: String(id) }, options),
        get('v1/agents/info', { agent_id: id }, options),
      ]);
      const [device] = toDevices(listing);
      if (!device) throw new PanelApiError('not_found', 403);
      return { device, info };
    },
    ['agents', 'groups', 'sessions'],
    { isRelevant: (ids, topic) => topic !== 'agents' || ids.includes(id) },
  );

const isMissing = (error: unknown): boolean =>
  error instanceof PanelApiError && (error.code === 'not_found' || error.code === 'forbidden');

const DeviceNotFound = () => (
  <PageLayout title={t.devices.title}>
    <EmptyState icon="help" title={texts.notThere}>
      <p class="quiet">{texts.notThereText}</p>
      <LinkButton href="/panel/devices">{texts.backToList}</LinkButton>
    </EmptyState>
  </PageLayout>
);

const Lead = ({ device }: Pick<DeviceDetails, 'device'>) => (
  <span class="lead">
    <OnlineDot online={device.online} /> <DeviceState {...device} /> · {readableId(device.device_id)}{' '}
    <RestrictionBadge {...device} />
  </span>
);

const RestrictionNotice = ({ device }: Pick<DeviceDetails, 'device'>) =>
  device.disabled || device.limited ? (
    <p class={device.disabled ? 'form-problem' : 'banner'}>
      {device.disabled ? t.devices.blockedWhy : t.devices.limitedWhy}
    </p>
  ) : null;

const backToList = (): void => navigate('/panel/devices', { replace: true });

/** Shown only to users who may not connect. */
const AskButton = ({ device }: Pick<DeviceDetails, 'device'>) =>
  may(device, 'agent_connect') ? null : (
    <TextButton icon="key" onClick={() => void openAskDialog({ agent_id: device.id, name: device.name })}>
      {t.requests.ask.open}
    </TextButton>
  );

function DeviceTabs({ of, shown, tab }: { of: Resource<DeviceDetails>; shown: DeviceDetails; tab: string }) {
  const { device } = shown;
  const offered = Object.entries(tabs).filter(([, { isOffered }]) => isOffered?.(device) ?? true);
  const [chosen, { render: TabContent }] = offered.find(([key]) => key === tab) ?? offered[0]!;
  const links = offered.map(([key, { text }]) => ({
    href: `/panel/devices/${device.id}${key === 'overview' ? '' : `?tab=${key}`}`,
    text,
    here: key === chosen,
  }));
  return (
    <PageLayout
      title={device.name}
      lead={<Lead device={device} />}
      actions={
        <>
          <Star device={device} />
          {!device.online && may(device, 'agent_wake_on_lan') && (
            <TextButton icon="wake" onClick={() => void wakeDevice(device)}>
              {t.devices.wake}
            </TextButton>
          )}
          <AskButton device={device} />
          <ConnectButton device={device} look="primary" />
          <DeviceMenu device={device} onUnlinked={backToList} />
        </>
      }
    >
      <RestrictionNotice device={device} />
      <Tabs label={texts.tabs.label} tabs={links} />
      <TabContent
        key={device.id}
        {...shown}
        reload={() => of.reload()}
        refresh={() => of.reload({ background: true })}
      />
    </PageLayout>
  );
}

function DeviceView({ id }: { id: number }) {
  const shown = useDeviceDetails(id);
  if (isMissing(shown.error.value)) return <DeviceNotFound />;
  return (
    <ResourceView resource={shown}>
      {(value) => <DeviceTabs of={shown} shown={value} tab={query.value.get('tab') ?? 'overview'} />}
    </ResourceView>
  );
}

export function DevicePage({ params }: PageProps) {
  const id = Number(params['id']);
  return Number.isSafeInteger(id) && id > 0 ? <DeviceView key={id} id={id} /> : <DeviceNotFound />;
}
