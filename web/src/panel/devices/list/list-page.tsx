/** The page with the list of devices and the groups beside it. */
import { saveFile } from '../../../ui/save-file.ts';
import { signedInUser } from '../../current-user.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton, LinkButton } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/layout.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { devicesCsv } from './csv.ts';
import { DeviceTable } from './device-table.tsx';
import { DeviceTiles } from './device-tiles.tsx';
import { emptyDeviceFilter } from './filter.ts';
import { openNewGroup } from '../groups/group-dialogs.tsx';
import { GroupsSelect, GroupsSidebar } from '../groups/groups-sidebar.tsx';
import { changeFilter, shownDevices, view } from './list-state.ts';
import { PendingBanner } from '../enrolment/pending.tsx';
import { mayAddDevices } from '../rights.ts';
import { stateText } from '../device-state.tsx';
import { deviceCounts, groupList, useDeviceList } from '../device-store.ts';
import { SelectionBar } from './selection-bar.tsx';
import { DeviceToolbar } from './toolbar.tsx';

const texts = t.devices;

function exportShown(): void {
  const text = devicesCsv(shownDevices.value, groupList.value, { head: texts.csv.head, stateOf: stateText });
  saveFile(new Blob([text], { type: 'text/csv' }), texts.fileName);
}

const Actions = () => (
  <>
    {mayAddDevices() && (
      <LinkButton href="/panel/devices/add" look="primary" icon="add">
        {texts.add}
      </LinkButton>
    )}
    <Menu
      icon="more"
      title={t.common.more}
      parts={() => [
        {
          items: [
            { text: texts.duplicates, choose: () => navigate('/panel/devices/duplicates') },
            ...(mayAddDevices()
              ? [{ text: t.updates.title, choose: () => navigate('/panel/devices/updates') }]
              : []),
            { text: texts.export, choose: exportShown },
          ],
        },
      ]}
    />
  </>
);

const NoDevices = () => (
  <EmptyState icon="view" title={texts.empty}>
    <p class="quiet">{mayAddDevices() ? texts.emptyText : texts.emptyNoRight(signedInUser.value.account)}</p>
    {mayAddDevices() && (
      <div class="bar">
        <LinkButton href="/panel/devices/add" look="primary" icon="add">
          {texts.add}
        </LinkButton>
        <TextButton onClick={() => void openNewGroup()}>{texts.groups.create}</TextButton>
      </div>
    )}
  </EmptyState>
);

const NothingFound = () => (
  <EmptyState icon="search" title={texts.nothingFound}>
    <p class="quiet">{texts.nothingFoundText}</p>
    <TextButton onClick={() => changeFilter(emptyDeviceFilter)}>{texts.clearFilters}</TextButton>
  </EmptyState>
);

function List() {
  if (deviceCounts.value.all.all === 0 && groupList.value.length === 0) return <NoDevices />;
  const rows = shownDevices.value;
  return (
    <div class="devices">
      <GroupsSidebar />
      <div class="devices-main">
        <GroupsSelect />
        <DeviceToolbar />
        <SelectionBar />
        {rows.length === 0 ? (
          <NothingFound />
        ) : view.value === 'tiles' ? (
          <DeviceTiles devices={rows} />
        ) : (
          <DeviceTable devices={rows} />
        )}
      </div>
    </div>
  );
}

export function DeviceListPage() {
  const list = useDeviceList();
  const { all, online } = deviceCounts.value.all;
  void signedInUser.value;
  return (
    <PageLayout
      title={texts.title}
      {...(list.value.value && { lead: texts.summary(all, online) })}
      actions={<Actions />}
    >
      {mayAddDevices() && <PendingBanner />}
      <ResourceView resource={list}>{() => <List />}</ResourceView>
    </PageLayout>
  );
}
