/** The filter above the connection history; the query string holds its values. */
import { useId, useState } from 'preact/hooks';
import { get } from '../api.ts';
import { mayInTeam, signedInUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { setQuery } from '../router.ts';
import { findPeople } from '../team/people/find-people.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Combobox, type ComboboxOption } from '../ui/forms/combobox.tsx';
import { Checkbox, Select, TextField } from '../ui/forms/form.tsx';
import { Icon } from '../ui/icon.tsx';
import {
  isEmailAddress,
  isConnectionFiltered,
  connectionKinds,
  emptyConnectionFilter,
  toConnectionQuery,
  type ConnectionFilter,
  type ConnectionKind,
} from './filter.ts';

const { filters: texts } = t.history;

/** A changed filter shows its first page. */
export const setConnectionFilter = (filter: Partial<ConnectionFilter>): void =>
  setQuery(toConnectionQuery({ ...filter, page: 1 }));

const maxFound = 20;

/** Cache of device names, so that the name of a device that was just chosen is not requested again. */
const names = new Map<number, string>();

async function findDevices(search: string, signal: AbortSignal): Promise<ComboboxOption[]> {
  const { data } = await get('v1/agents/list', { search, limit: maxFound }, { signal });
  for (const { id, name } of data) names.set(id, name);
  return data.map(({ id, name, group }) => ({ value: String(id), text: name, hint: group }));
}

const asPerson = (email: string): ComboboxOption => ({ value: email, text: email });

/** Users who may not see the team are offered the people of the connections shown. */
async function findOperators(search: string, known: readonly string[]): Promise<ComboboxOption[]> {
  if (mayInTeam('team_user_admin')) return findPeople(search);
  const people = new Set([signedInUser.value.email, ...known]);
  return [...people].filter((email) => email.toLowerCase().includes(search.toLowerCase())).map(asPerson);
}

function DeviceCombobox({ device }: { device: number | undefined }) {
  const { value } = useResource(`device ${device}`, async (options) =>
    device === undefined || names.has(device)
      ? undefined
      : (await get('devices', { ids: String(device) }, options)).data[0]?.name,
  );
  const chosen =
    device === undefined
      ? undefined
      : { value: String(device), text: names.get(device) ?? value.value ?? texts.deviceNumber(device) };
  return (
    <Combobox
      label={texts.device}
      placeholder={texts.anyDevice}
      chosen={chosen}
      find={findDevices}
      onChoose={(choice) => setConnectionFilter({ device: choice && Number(choice.value) })}
    />
  );
}

interface HistoryFilterBarProps {
  filter: ConnectionFilter;
  /** The people of the connections shown. */
  people: readonly string[];
}

const Fields = ({ filter, people }: HistoryFilterBarProps) => (
  <>
    <Select
      label={texts.kind}
      name="kind"
      value={filter.kind}
      onChange={(kind) => setConnectionFilter({ kind: kind as ConnectionKind })}
      options={connectionKinds.map((kind) => ({ value: kind, text: texts.kinds[kind] }))}
    />
    {signedInUser.value.devices && <DeviceCombobox device={filter.device} />}
    <Combobox
      label={texts.person}
      placeholder={texts.anyPerson}
      chosen={filter.person === '' ? undefined : asPerson(filter.person)}
      find={(text) => findOperators(text, people)}
      asTyped={(text) => (isEmailAddress(text) ? asPerson(text) : undefined)}
      onChoose={(choice) => setConnectionFilter({ person: choice?.value ?? '' })}
    />
    <TextField
      label={texts.from}
      name="from"
      type="date"
      value={filter.from}
      onInput={(from) => setConnectionFilter({ from })}
    />
    <TextField
      label={texts.to}
      name="to"
      type="date"
      value={filter.to}
      onInput={(to) => setConnectionFilter({ to })}
    />
    <FilterEnd filter={filter} />
  </>
);

const FilterEnd = ({ filter }: Pick<HistoryFilterBarProps, 'filter'>) => (
  <div class="filter-end">
    <Checkbox
      label={texts.video}
      checked={filter.video}
      onChange={(video) => setConnectionFilter({ video })}
    />
    {filter.invitation !== undefined && (
      <TextButton icon="end" onClick={() => setConnectionFilter({ invitation: undefined })}>
        {texts.onlyInvitation(filter.invitation)}
      </TextButton>
    )}
    {isConnectionFiltered(filter) && (
      <TextButton look="plain" onClick={() => setConnectionFilter(emptyConnectionFilter)}>
        {texts.clear}
      </TextButton>
    )}
  </div>
);

/** On a narrow screen the filter is collapsed until the user opens it. */
export function HistoryFilterBar(props: HistoryFilterBarProps) {
  const [isOpen, setOpen] = useState(isConnectionFiltered(props.filter));
  const id = useId();
  return (
    <search class="filter" aria-label={texts.label}>
      <button
        type="button"
        class="button filter-fold"
        aria-expanded={isOpen ? 'true' : 'false'}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" />
        <span>{texts.label}</span>
      </button>
      <div id={id} class={isOpen ? 'section filter-bar open' : 'section filter-bar'}>
        <Fields {...props} />
      </div>
    </search>
  );
}
