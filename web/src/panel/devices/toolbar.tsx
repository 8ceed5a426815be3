/** Above the list: search, filters, the view, and what is done with all that is selected. */
import { useEffect, useRef } from 'preact/hooks';
import type { MenuItem } from '../../ui/menu.ts';
import { post } from '../api.ts';
import { t } from '../texts/index.ts';
import { TextButton, IconButton } from '../ui/button.tsx';
import { FilterSelect } from '../ui/filter-select.tsx';
import { SearchField } from '../ui/form.tsx';
import { Menu } from '../ui/menu.tsx';
import { setFavorite } from './actions.tsx';
import { runBulkAction, type BulkAction } from './bulk-dialog.tsx';
import type { DeviceFilter } from './filter.ts';
import { changeFilter, filter, selected, selectShown, setView, shownDevices, view } from './list-state.ts';
import { openMoveDialog } from './move.tsx';
import { osName, systems } from './os.ts';
import { may } from './rights.ts';
import { deviceCounts } from './device-store.ts';

const texts = t.devices;

/** "/" leads to the search field, unless something is being written. */
function useSlashShortcut() {
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isWriting = (event.target as Element).closest(
        'input:not([type=checkbox]), textarea, select, dialog',
      );
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      event.preventDefault();
      inputRef.current?.focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return inputRef;
}

const dayChoices = [1, 7, 30, 90];
const stateOptions: readonly { value: string; text: string }[] = [
  { value: '', text: texts.filters.anyState },
  { value: 'online', text: texts.filters.online },
  { value: 'offline', text: texts.filters.offline },
  ...dayChoices.map((days) => ({ value: `offline ${days}`, text: texts.filters.offlineFor(days) })),
  { value: 'disabled', text: texts.filters.disabled },
];
const osOptions = [
  { value: '', text: texts.filters.anyOs },
  ...systems.map((os) => ({ value: os, text: osName(os) })),
];

const stateValue = ({ state, days }: DeviceFilter): string => (days > 0 ? `${state} ${days}` : state);
const chooseState = (value: string): void => {
  const [state = '', days = '0'] = value.split(' ');
  changeFilter({ state: state as DeviceFilter['state'], days: Number(days) });
};

/** Whoever points with a finger has no key to press. */
const coarsePointer = matchMedia('(pointer: coarse)');

export function DeviceToolbar() {
  const inputRef = useSlashShortcut();
  const { search, os } = filter.value;
  const isTiles = view.value === 'tiles';
  return (
    <div class="bar" role="search" aria-label={texts.search}>
      <SearchField
        value={search}
        onInput={(typed) => changeFilter({ search: typed })}
        label={coarsePointer.matches ? texts.search : texts.searchHint}
        inputRef={inputRef}
      />
      <FilterSelect
        label={texts.filters.state}
        value={stateValue(filter.value)}
        options={stateOptions}
        onChange={chooseState}
      />
      <FilterSelect
        label={texts.filters.os}
        value={os}
        options={osOptions}
        onChange={(chosen) => changeFilter({ os: chosen })}
      />
      <span class="spread" />
      <IconButton
        icon={isTiles ? 'list' : 'tiles'}
        title={isTiles ? texts.showTable : texts.showTiles}
        onClick={() => setView(isTiles ? 'table' : 'tiles')}
      />
    </div>
  );
}

type BulkSpec = Pick<BulkAction, 'needs' | 'act' | 'question'> & { title: (count: number) => string };

const bulkSpecs: Record<'wake' | 'lock' | 'reboot' | 'unlink', BulkSpec & { text: string }> = {
  wake: {
    text: texts.wake,
    title: texts.many.wake,
    needs: 'agent_wake_on_lan',
    act: ({ id }) => post('v1/agents/wake', { id }),
    question: { text: texts.many.wakeText, yes: texts.wake, look: 'primary' },
  },
  lock: {
    text: texts.lock,
    title: texts.many.lock,
    needs: 'agent_lock_screen',
    act: ({ id }) => post('v1/agents/lock', { id }),
    question: { text: texts.many.lockText, yes: texts.lock, look: 'primary' },
  },
  reboot: {
    text: texts.reboot,
    title: texts.many.reboot,
    needs: 'agent_reboot',
    act: ({ id }) => post('v1/agents/reboot', { id, safe: false }),
    question: { text: texts.many.rebootText, yes: texts.reboot },
  },
  unlink: {
    text: texts.unlink,
    title: texts.many.unlink,
    needs: 'agent_logout',
    act: ({ id }) => post('v1/agents/logout', { id }),
    question: { text: texts.many.unlinkText, yes: texts.unlink },
  },
};

const run = ({ title, ...ask }: BulkSpec): void =>
  void runBulkAction({ ...ask, title: title(selected.value.length), devices: selected.value });

const favorites = (favorite: boolean): BulkSpec => ({
  title: favorite ? texts.many.favorite : texts.many.unfavorite,
  act: ({ id }) => setFavorite(id, favorite),
});

/** What nobody may do on any of them is not offered. */
const offeredItems = (): MenuItem[] =>
  Object.values(bulkSpecs)
    .filter(({ needs }) => selected.value.some((device) => may(device, needs!)))
    .map((ask) => ({ text: ask.text, choose: () => run(ask) }));

const mayMove = (): boolean => selected.value.some((device) => may(device, 'agent_change_settings'));

/** How many are shown, or what is done with those that are selected. */
export function SelectionBar() {
  const count = selected.value.length;
  const isAll = count > 0 && count === shownDevices.value.length;
  return (
    <div class={count > 0 ? 'bar selection on' : 'bar selection'}>
      <label class="select-all">
        <input
          type="checkbox"
          class="select-box"
          aria-label={texts.selectAll}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={({ currentTarget }) => selectShown(currentTarget.checked)}
        />
        <span role="status">
          {count > 0
            ? texts.selected(count)
            : texts.shown(shownDevices.value.length, deviceCounts.value.all.all)}
        </span>
      </label>
      {count > 0 && (
        <>
          {mayMove() && (
            <TextButton icon="files" onClick={() => void openMoveDialog(selected.value)}>
              {texts.move}
            </TextButton>
          )}
          <Menu
            icon="more"
            title={texts.actions}
            label={texts.actions}
            parts={() => [
              {
                items: [
                  { text: texts.favorite, choose: () => run(favorites(true)) },
                  { text: texts.unfavorite, choose: () => run(favorites(false)) },
                ],
              },
              { items: offeredItems() },
            ]}
          />
          <IconButton icon="end" title={texts.clearSelection} onClick={() => selectShown(false)} />
        </>
      )}
    </div>
  );
}
