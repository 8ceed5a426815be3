/** The devices with their versions and how their updates proceed, filtered by state. */
import { useState } from 'preact/hooks';
import { get, type OutputOf } from '../../api.ts';
import { useKeepPrevious, useResource } from '../../resource.ts';
import { query } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { FilterSelect } from '../../ui/forms/filter-select.tsx';
import { Badge, Section, type Tone } from '../../ui/layout.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { Pager } from '../../ui/tables/pager.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { OnlineDot } from '../device-state.tsx';

const texts = t.updates;

type Devices = OutputOf<'v1/agents/updates/devices'>;
type UpdatedDevice = Devices['data'][number];
type UpdateState = UpdatedDevice['state'];

const pageSize = 50;

const tones: Partial<Record<UpdateState, Tone>> = { current: 'good', failed: 'bad', refused: 'warn' };

const columns: readonly Column<UpdatedDevice>[] = [
  {
    title: texts.name,
    render: ({ id, name, online }) => (
      <span class="cell-name">
        <OnlineDot online={online} />
        <a href={`/panel/devices/${id}`}>{name}</a>
      </span>
    ),
  },
  { title: texts.version, render: ({ version }) => version, width: '100px' },
  {
    title: texts.progress,
    render: ({ state }) => <Badge tone={tones[state] ?? 'plain'}>{texts.state[state]}</Badge>,
    width: 'minmax(max-content, 200px)',
  },
  { title: texts.message, render: ({ message }) => message, wideOnly: true, width: 'minmax(0, 2fr)' },
  {
    title: texts.time,
    render: ({ time }) => (time === 0 ? t.common.none : <RelativeTime time={time} />),
    wideOnly: true,
    width: '140px',
  },
];

const stateOptions = [
  { value: '', text: texts.all },
  ...Object.entries(texts.state).map(([value, text]) => ({ value, text })),
];

export function UpdateDevices() {
  const [state, setState] = useState('');
  const page = Math.max(1, Math.trunc(Number(query.value.get('page'))) || 1);
  const filter = state === '' ? {} : { state: state as UpdateState };
  const devices = useKeepPrevious(
    useResource(
      `update-devices ${state} ${page}`,
      (options) =>
        get(
          'v1/agents/updates/devices',
          { ...filter, offset: (page - 1) * pageSize, limit: pageSize },
          options,
        ),
      ['account', 'agents'],
      { minPauseMs: 5_000 },
    ),
  );
  return (
    <Section
      title={texts.devices}
      actions={<FilterSelect label={texts.filter} value={state} onChange={setState} options={stateOptions} />}
    >
      <ResourceView resource={devices}>{(found) => <List {...found} page={page} />}</ResourceView>
    </Section>
  );
}

const List = ({ total, data, page }: Devices & { page: number }) =>
  total === 0 ? (
    <EmptyState icon="view" title={texts.none}>
      <p class="quiet">{texts.noneText}</p>
    </EmptyState>
  ) : (
    <>
      <DataTable label={texts.table} columns={columns} rows={data} keyOf={({ id }) => id} />
      <Pager total={total} size={pageSize} page={page} />
    </>
  );
