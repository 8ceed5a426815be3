/** The filter above the connection history; what is chosen stands in the address. */
import { useId, useState } from 'preact/hooks';
import { get } from '../api.ts';
import { mayInTeam, signedInUser } from '../me.ts';
import { useResource } from '../resource.ts';
import { setQuery } from '../router.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Chooser, type Choice } from '../ui/chooser.tsx';
import { Checkbox, Select, TextField } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { isAddress, isFiltered, kinds, noFilter, queryOf, type Filter, type Kind } from './filter.ts';

const { filters: texts } = t.history;

/** Another filter begins with its first page. */
export const refine = (filter: Partial<Filter>): void => setQuery(queryOf({ ...filter, page: 1 }));

const listed = 20;

/** Names of devices that were seen here: what was just chosen is not asked for again. */
const names = new Map<number, string>();

async function findDevices(search: string, signal: AbortSignal): Promise<Choice[]> {
  const { data } = await get('v1/agents/list', { search, limit: listed }, { signal });
  for (const { id, name } of data) names.set(id, name);
  return data.map(({ id, name, group }) => ({ value: String(id), text: name, hint: group }));
}

const asPerson = (email: string): Choice => ({ value: email, text: email });

/** Who may not see the team is offered those whose connections are in sight. */
async function findPeople(search: string, signal: AbortSignal, known: readonly string[]): Promise<Choice[]> {
  if (mayInTeam('team_user_admin')) {
    const { data } = await get('v1/team/member/list', { search, limit: listed }, { signal });
    return data.map(({ email }) => asPerson(email));
  }
  const people = new Set([signedInUser.value.email, ...known]);
  return [...people].filter((email) => email.toLowerCase().includes(search.toLowerCase())).map(asPerson);
}

function DeviceChooser({ device }: { device: number | undefined }) {
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
    <Chooser
      label={texts.device}
      placeholder={texts.anyDevice}
      chosen={chosen}
      find={findDevices}
      onChoose={(choice) => refine({ device: choice && Number(choice.value) })}
    />
  );
}

interface FilterBarProps {
  filter: Filter;
  /** People whose connections are in sight. */
  people: readonly string[];
}

const Fields = ({ filter, people }: FilterBarProps) => (
  <>
    <Select
      label={texts.kind}
      name="kind"
      value={filter.kind}
      onChange={(kind) => refine({ kind: kind as Kind })}
      options={kinds.map((kind) => ({ value: kind, text: texts.kinds[kind] }))}
    />
    {signedInUser.value.devices && <DeviceChooser device={filter.device} />}
    <Chooser
      label={texts.person}
      placeholder={texts.anyPerson}
      chosen={filter.person === '' ? undefined : asPerson(filter.person)}
      find={(text, signal) => findPeople(text, signal, people)}
      asTyped={(text) => (isAddress(text) ? asPerson(text) : undefined)}
      onChoose={(choice) => refine({ person: choice?.value ?? '' })}
    />
    <TextField
      label={texts.from}
      name="from"
      type="date"
      value={filter.from}
      onInput={(from) => refine({ from })}
    />
    <TextField label={texts.to} name="to" type="date" value={filter.to} onInput={(to) => refine({ to })} />
    <div class="filter-end">
      <Checkbox label={texts.video} checked={filter.video} onChange={(video) => refine({ video })} />
      {filter.invitation !== undefined && (
        <Button icon="end" onClick={() => refine({ invitation: undefined })}>
          {texts.onlyInvitation(filter.invitation)}
        </Button>
      )}
      {isFiltered(filter) && (
        <Button look="plain" onClick={() => refine(noFilter)}>
          {texts.clear}
        </Button>
      )}
    </div>
  </>
);

/** On a narrow page it is folded away until it is wanted. */
export function FilterBar(props: FilterBarProps) {
  const [isOpen, setOpen] = useState(isFiltered(props.filter));
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
