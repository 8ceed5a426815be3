/** The toolbar above the device list: search, filters and view. */
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/forms/filter-select.tsx';
import { SearchField } from '../../ui/forms/form.tsx';
import { TableMenu } from '../../ui/tables/table-menu.tsx';
import { isNarrow } from '../../ui/tables/table.tsx';
import { deviceColumns } from './device-columns.tsx';
import type { DeviceFilter } from './filter.ts';
import { changeFilter, deviceTable, filter, setView, view } from './list-state.ts';
import { osName, systems } from '../os.ts';

const texts = t.devices;

/** The "/" key focuses the search field, unless the user is typing. */
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

/** Touch devices have no "/" key, so the hint about it is left out. */
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
      {(isTiles || isNarrow.value) && <TableMenu name={deviceTable} columns={deviceColumns} isHeadless />}
      <IconButton
        icon={isTiles ? 'list' : 'tiles'}
        title={isTiles ? texts.showTable : texts.showTiles}
        onClick={() => setView(isTiles ? 'table' : 'tiles')}
      />
    </div>
  );
}
