/** The list of groups with their device counts; devices and groups can be dropped on it. */
import { useState } from 'preact/hooks';
import type { MenuItem, MenuPart } from '../../../ui/menu.ts';
import { t } from '../../texts/index.ts';
import { numeral } from '../../texts/language.ts';
import { openGroupNotifications } from '../../notifications/group-dialog.tsx';
import { TextButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useVirtualRows } from '../../ui/tables/virtual-rows.ts';
import { draggedIds, isDragging, startDrag } from './drag.ts';
import type { DeviceCount, DeviceFilter, DeviceGroup } from '../list/filter.ts';
import { openNewGroup, openRenameGroup, reorderGroup, removeGroup } from './group-dialogs.tsx';
import { openGroupPolicy } from '../../policies/group-policy-dialog.tsx';
import { changeFilter, filter } from '../list/list-state.ts';
import { moveDevices } from './move.tsx';
import { openAskDialog } from '../../requests/ask-dialog.tsx';
import {
  mayAddDevices,
  mayAskForGroup,
  mayChangeGroup,
  mayNotifyOfGroup,
  mayOrderGroups,
} from '../rights.ts';
import { devicesById, deviceCounts, groupList } from '../device-store.ts';

const texts = t.devices.groups;
const noDevices: DeviceCount = { all: 0, online: 0 };

interface DropTarget {
  /** Whether the dragged item may be dropped here. */
  accepts: (event: DragEvent) => boolean;
  drop: (event: DragEvent) => void;
}

function useDrop(wanted: DropTarget | undefined) {
  const [isOver, setOver] = useState(false);
  if (!wanted) return { isOver: false, handlers: {} };
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!wanted.accepts(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!wanted.accepts(event)) return;
      event.preventDefault();
      setOver(false);
      wanted.drop(event);
    },
  };
  return { isOver, handlers };
}

const dropDevices = (event: DragEvent, groupId: number): void => {
  const devices = draggedIds(event, 'devices').flatMap((id) => devicesById.value.get(id) ?? []);
  void moveDevices(devices, groupId);
};

interface GroupItemProps {
  value: DeviceFilter['group'];
  text: string;
  icon: IconName;
  count: DeviceCount;
  drop?: DropTarget;
  group?: DeviceGroup;
}

function GroupItem({ value, text, icon, count, drop, group }: GroupItemProps) {
  const { isOver, handlers } = useDrop(drop);
  const isHere = filter.value.group === value;
  const isMoved = group !== undefined && mayOrderGroups();
  return (
    <li
      class={isOver ? 'group over' : 'group'}
      draggable={isMoved}
      onDragStart={(event) => isMoved && startDrag(event, 'group', [group.id])}
      {...handlers}
    >
      <button
        type="button"
        class="group-button"
        aria-pressed={isHere}
        title={`${text}: ${texts.count(count.all, count.online)}`}
        onClick={() => changeFilter({ group: value })}
      >
        <Icon name={icon} />
        <span class="group-name">{text}</span>
        <span class="group-count">
          {count.online > 0 && <span class="group-online">{numeral(count.online)}</span>}
          {count.online > 0 && ' / '}
          {numeral(count.all)}
        </span>
      </button>
      {group && hasMenu(group) && (
        <Menu icon="more" title={texts.menu(group.name)} parts={() => menuOf(group)} />
      )}
    </li>
  );
}

const hasMenu = ({ id }: DeviceGroup): boolean =>
  mayChangeGroup(id) || mayNotifyOfGroup(id) || mayAskForGroup(id);

const askItem = ({ id, name }: DeviceGroup): MenuItem => ({
  text: t.requests.ask.open,
  choose: () => void openAskDialog({ group_id: id, name }),
});

const menuOf = (group: DeviceGroup): MenuPart[] =>
  [
    ...(mayAskForGroup(group.id) ? [{ items: [askItem(group)] }] : []),
    ...(mayNotifyOfGroup(group.id)
      ? [{ items: [{ text: t.notifications.group.menu, choose: () => void openGroupNotifications(group) }] }]
      : []),
    ...(mayChangeGroup(group.id) ? changesOf(group) : []),
  ].filter(({ items }) => items.length > 0);

function changesOf(group: DeviceGroup): { items: MenuItem[] }[] {
  const all = groupList.value;
  const at = all.findIndex(({ id }) => id === group.id);
  const order: MenuItem[] = [];
  if (mayOrderGroups() && at > 0)
    order.push({ text: texts.up, choose: () => void reorderGroup(group, all[at - 1]) });
  if (mayOrderGroups() && at < all.length - 1)
    order.push({ text: texts.down, choose: () => void reorderGroup(group, all[at + 2]) });
  return [
    {
      items: [
        { text: texts.rename, choose: () => void openRenameGroup(group) },
        { text: texts.policy, choose: () => void openGroupPolicy(group) },
      ],
    },
    { items: order },
    { items: [{ text: texts.remove, choose: () => void removeGroup(group) }] },
  ];
}

/** A device dropped on a group moves into it; a group dropped on another moves before it. */
const groupDropTarget = (group: DeviceGroup): DropTarget | undefined =>
  mayChangeGroup(group.id)
    ? {
        accepts: (event) => isDragging(event, 'devices') || (isDragging(event, 'group') && mayOrderGroups()),
        drop: (event) => {
          if (isDragging(event, 'devices')) return dropDevices(event, group.id);
          const [id] = draggedIds(event, 'group');
          const moved = groupList.value.find((each) => each.id === id);
          if (moved) void reorderGroup(moved, group);
        },
      }
    : undefined;

const ungroupTarget: DropTarget = {
  accepts: (event) => isDragging(event, 'devices'),
  drop: (event) => dropDevices(event, 0),
};

/** Longer lists render only the visible groups. All have the same height, which the style sheet sets too. */
const groupRows = { rowHeight: 42, maxUnvirtualized: 40 };

function Groups() {
  const all = groupList.value;
  const { containerRef, first, last } = useVirtualRows({ ...groupRows, count: all.length });
  return (
    <div ref={containerRef}>
      <div aria-hidden="true" style={{ height: `${first * groupRows.rowHeight}px` }} />
      <ul>
        {all.slice(first, last).map((group) => (
          <GroupItem
            key={group.id}
            value={group.id}
            text={group.name}
            icon="files"
            count={deviceCounts.value.groups.get(group.id) ?? noDevices}
            group={group}
            {...(groupDropTarget(group) && { drop: groupDropTarget(group)! })}
          />
        ))}
      </ul>
      <div aria-hidden="true" style={{ height: `${(all.length - last) * groupRows.rowHeight}px` }} />
    </div>
  );
}

export function GroupsSidebar() {
  const { all, favorites, groups: ofGroups } = deviceCounts.value;
  return (
    <nav class="groups wide-only" aria-label={texts.label}>
      <ul>
        <GroupItem value="all" text={texts.all} icon="view" count={all} />
        <GroupItem value="favorites" text={texts.favorites} icon="star" count={favorites} />
      </ul>
      <Groups />
      {groupList.value.length > 0 && (
        <ul>
          <GroupItem
            value={0}
            text={texts.none}
            icon="list"
            count={ofGroups.get(0) ?? noDevices}
            drop={ungroupTarget}
          />
        </ul>
      )}
      {mayAddDevices() && (
        <TextButton look="plain" icon="add" onClick={() => void openNewGroup()}>
          {texts.create}
        </TextButton>
      )}
    </nav>
  );
}

/** On a narrow screen: a select with the groups, and the menu of the chosen group. */
export function GroupsSelect() {
  const { group } = filter.value;
  const options = [
    { value: 'all', text: texts.all },
    { value: 'favorites', text: texts.favorites },
    ...groupList.value.map(({ id, name }) => ({ value: String(id), text: name })),
    ...(groupList.value.length > 0 ? [{ value: '0', text: texts.none }] : []),
  ];
  const choose = (value: string): void =>
    changeFilter({ group: value === 'all' || value === 'favorites' ? value : Number(value) });
  const chosen = groupList.value.find(({ id }) => id === group);
  const parts = (): MenuPart[] => [
    ...(chosen ? menuOf(chosen) : []),
    ...(mayAddDevices() ? [{ items: [{ text: texts.create, choose: () => void openNewGroup() }] }] : []),
  ];
  return (
    <div class="groups-field">
      <select
        class="field"
        aria-label={texts.label}
        value={String(group)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {parts().length > 0 && <Menu icon="more" title={texts.label} parts={parts} />}
    </div>
  );
}
