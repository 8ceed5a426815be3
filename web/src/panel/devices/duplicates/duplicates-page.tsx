/** The page with probable duplicates of devices, to be merged, and with keys that two machines use. */
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { type Resource } from '../../resource-types.ts';
import { t } from '../../texts/index.ts';
import { language } from '../../texts/language.ts';
import { TextButton, LinkButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { PageLayout, Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { PagedList } from '../../ui/tables/pager.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { readableId } from '../device.ts';
import { openMergeDialog } from './merge.tsx';
import { may } from '../rights.ts';
import { OnlineDot, DeviceState } from '../device-state.tsx';
import { devicesById, useDeviceList } from '../device-store.ts';
import type { DuplicateDevice } from './duplicate-device.ts';

const texts = t.devicesMore.duplicates;

type Duplicates = OutputOf<'v1/agents/duplicates'>;
type Pair = Duplicates['data'][number];
type CopiedKey = Duplicates['copied'][number];
const list = new Intl.ListFormat(language);
const pageSize = 50;
/** Every change of a device can create a duplicate, but the comparison is expensive and not urgent. */
const minPauseMs = 5_000;

const reasonsOf = ({ because }: Pair): string => list.format(because.map((reason) => texts.because[reason]));

const DuplicateView = ({ device }: { device: DuplicateDevice }) => (
  <span class="cell-name">
    <OnlineDot online={device.online} />
    <span class="two-lines">
      <a href={`/panel/devices/${device.id}`}>{device.name}</a>
      <span class="quiet">
        {readableId(device.device_id)} · <DeviceState {...device} />
      </span>
    </span>
  </span>
);

const PairRow = ({ pair, onMerged }: { pair: Pair; onMerged: () => void }) => (
  <li class="pair">
    <div class="pair-two">
      <DuplicateView device={pair.target} />
      <DuplicateView device={pair.source} />
    </div>
    <p class="quiet">{texts.same(reasonsOf(pair))}</p>
    <TextButton icon="merge" onClick={() => void openMergeDialog(pair.source, pair.target).then(onMerged)}>
      {texts.compare}
    </TextButton>
  </li>
);

async function clear({ id, name }: CopiedKey): Promise<void> {
  const question = {
    title: texts.clearTitle(name),
    text: texts.clearText,
    yes: texts.clear,
    look: 'primary' as const,
  };
  if (await confirmAction(question))
    await attempt(() => post('v1/agents/copied/clear', { id }), texts.cleared);
}

const mayClear = ({ id }: CopiedKey): boolean => {
  const device = devicesById.value.get(id);
  return device !== undefined && may(device, 'agent_change_settings');
};

const columnsOf = (reload: () => void): readonly Column<CopiedKey>[] => [
  { title: t.devices.columns.device, render: (copied) => <DuplicateView device={copied} /> },
  { title: texts.copiedTime, render: ({ time }) => <RelativeTime time={time} /> },
  {
    title: '',
    width: '170px',
    render: (copied) => (
      <span class="cell-end">
        {mayClear(copied) && (
          <TextButton onClick={() => void clear(copied).then(reload)}>{texts.clear}</TextButton>
        )}
      </span>
    ),
  },
];

const CopiedKeys = ({ copied, reload }: { copied: readonly CopiedKey[]; reload: () => void }) => (
  <Section title={texts.copied} lead={texts.copiedLead}>
    <p>{texts.copiedAdvice}</p>
    <DataTable label={texts.copiedTable} columns={columnsOf(reload)} rows={copied} keyOf={({ id }) => id} />
  </Section>
);

const DuplicateList = ({ found, of }: { found: Duplicates; of: Resource<Duplicates> }) => {
  const reload = (): void => void of.reload();
  return (
    <>
      {found.copied.length > 0 && <CopiedKeys copied={found.copied} reload={reload} />}
      {found.data.length === 0 ? (
        found.copied.length === 0 && (
          <EmptyState icon="check" title={texts.none}>
            <p class="quiet">{texts.noneText}</p>
          </EmptyState>
        )
      ) : (
        <PagedList items={found.data} size={pageSize}>
          {(some) => (
            <ul class="pairs">
              {some.map((pair) => (
                <PairRow key={`${pair.source.id} ${pair.target.id}`} pair={pair} onMerged={reload} />
              ))}
            </ul>
          )}
        </PagedList>
      )}
    </>
  );
};

export function DuplicatesPage() {
  useDeviceList();
  const duplicates = useResource(
    'duplicates',
    (options) => get('v1/agents/duplicates', {}, options),
    ['agents'],
    { minPauseMs },
  );
  return (
    <PageLayout
      title={texts.title}
      lead={texts.lead}
      actions={<LinkButton href="/panel/devices">{t.device.backToList}</LinkButton>}
    >
      <ResourceView resource={duplicates}>
        {(found) => <DuplicateList found={found} of={duplicates} />}
      </ResourceView>
    </PageLayout>
  );
}
