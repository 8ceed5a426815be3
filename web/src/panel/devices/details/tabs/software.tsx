/** The tab with the software of a device, searchable. */
import { useMemo, useState } from 'preact/hooks';
import { get, type OutputOf } from '../../../api.ts';
import { useResource } from '../../../resource.ts';
import { t } from '../../../texts/index.ts';
import { SearchField } from '../../../ui/forms/form.tsx';
import { EmptyState, ResourceView } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/tables/table.tsx';
import { type Column } from '../../../ui/tables/column.ts';
import { RelativeTime } from '../../../ui/time.tsx';
import { foldText } from '../../../fold-text.ts';
import type { TabProps } from '../device-details.ts';

const texts = t.device.software;

type Software = OutputOf<'v1/agents/software'>;
type Program = Software['data'][number];

const columns: readonly Column<Program>[] = [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    render: ({ name }) => (
      <span class="cell-name">
        <strong title={name}>{name}</strong>
      </span>
    ),
  },
  { title: texts.version, id: 'version', sortBy: ({ version }) => version, render: ({ version }) => version },
  {
    title: texts.publisher,
    id: 'publisher',
    sortBy: ({ publisher }) => publisher,
    wideOnly: true,
    render: ({ publisher }) => publisher,
  },
  {
    title: texts.installed,
    id: 'installed',
    sortBy: ({ install_date }) => install_date,
    wideOnly: true,
    width: '130px',
    render: ({ install_date }) => install_date,
  },
];

function List({ software: { data, time } }: { software: Software }) {
  const [search, setSearch] = useState('');
  const known = useMemo(
    () =>
      data.map((program, at) => ({
        ...program,
        at,
        text: foldText(`${program.name}\n${program.publisher}`),
      })),
    [data],
  );
  const found = known.filter(({ text }) => text.includes(foldText(search.trim())));
  if (data.length === 0) return <EmptyState icon="software" title={texts.none} />;
  return (
    <>
      <div class="bar">
        <SearchField value={search} onInput={setSearch} label={texts.search} />
        <span class="quiet" role="status">
          {texts.count(found.length)}
        </span>
        <span class="spread" />
        <span class="quiet">
          {texts.asOf} <RelativeTime time={time} />
        </span>
      </div>
      {found.length === 0 ? (
        <EmptyState icon="search" title={texts.nothingFound} />
      ) : (
        <DataTable
          label={texts.table}
          name="software"
          columns={columns}
          rows={found}
          keyOf={({ at }) => at}
        />
      )}
    </>
  );
}

export function SoftwareTab({ device }: TabProps) {
  const software = useResource(
    `software ${device.id}`,
    (options) => get('v1/agents/software', { agent_id: device.id }, options),
    ['agents'],
    { isRelevant: (ids) => ids.includes(device.id) },
  );
  return <ResourceView resource={software}>{(value) => <List software={value} />}</ResourceView>;
}
