/** The page about provisioning: the address for identity providers, what they look after, and their tokens. */
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { IconButton, TextButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Badge, Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { AbsoluteTime, RelativeTime } from '../../ui/time.tsx';
import { TeamPage } from '../team-page.tsx';
import { openCreateToken } from './create-token.tsx';

const texts = t.provisioning;

type Provisioning = OutputOf<'v1/team/scim/token/list'>;
type Token = Provisioning['data'][number];

function TokenExpiry({ of: { expires, problem } }: { of: Token }) {
  if (problem === 'expired') return <Badge tone="bad">{texts.expired}</Badge>;
  return (
    <span class="cell-name" title={problem === '' ? undefined : texts.stoppedHint}>
      {expires === undefined ? texts.never : <AbsoluteTime time={expires} />}
      {problem !== '' && <Badge tone="bad">{texts.stopped[problem]}</Badge>}
    </span>
  );
}

const dataColumns: readonly Column<Token>[] = [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    render: ({ name, prefix }) => (
      <span class="key-name">
        <strong>{name}</strong>
        <code class="quiet">{`${prefix}…`}</code>
      </span>
    ),
  },
  {
    title: texts.creator,
    id: 'creator',
    sortBy: ({ email }) => email,
    wideOnly: true,
    render: ({ email }) => email,
  },
  {
    title: texts.expires,
    id: 'expires',
    sortBy: ({ expires }) => expires ?? Number.MAX_SAFE_INTEGER,
    render: (token) => <TokenExpiry of={token} />,
  },
  {
    title: texts.lastUsed,
    id: 'used',
    sortBy: ({ last_used }) => last_used ?? 0,
    render: ({ last_used }) => (last_used === undefined ? texts.unused : <RelativeTime time={last_used} />),
  },
];

async function remove({ id, name }: Token, reload: () => void): Promise<void> {
  const question = { title: texts.removeTitle, text: texts.removeText(name), yes: texts.removeYes };
  if (!(await confirmAction(question))) return;
  await attempt(async () => {
    await post('v1/team/scim/token/remove', { id });
    reload();
  }, texts.removed);
}

const columnsFor = (reload: () => void): readonly Column<Token>[] => [
  ...dataColumns,
  {
    title: '',
    width: '44px',
    render: (token) => (
      <IconButton icon="trash" title={texts.remove(token.name)} onClick={() => void remove(token, reload)} />
    ),
  },
];

const Tokens = ({ of: { data }, reload }: { of: Provisioning; reload: () => void }) =>
  data.length === 0 ? (
    <EmptyState icon="key" title={texts.none}>
      <p class="quiet">{texts.noneText}</p>
    </EmptyState>
  ) : (
    <div class="named-cells">
      <DataTable
        label={texts.table}
        name="scim-tokens"
        columns={columnsFor(reload)}
        rows={data.toSorted((one, other) => other.create_time - one.create_time)}
        keyOf={({ id }) => id}
      />
    </div>
  );

export function ProvisioningPage() {
  const found = useResource('provisioning', (options) => get('v1/team/scim/token/list', {}, options), [
    'team',
  ]);
  const reload = (): void => void found.reload();
  const create = (
    <TextButton look="primary" icon="add" onClick={() => openCreateToken(reload)}>
      {texts.create}
    </TextButton>
  );
  return (
    <TeamPage here="provisioning" actions={create}>
      <ResourceView resource={found}>
        {(all) => (
          <Section title={texts.title} lead={texts.lead}>
            <CopyLine text={all.base_url} label={texts.baseUrl} />
            <p class="quiet">{texts.baseUrlHint}</p>
            <p>{texts.looksAfter(all.people, all.departments)}</p>
            <Tokens of={all} reload={reload} />
          </Section>
        )}
      </ResourceView>
    </TeamPage>
  );
}
