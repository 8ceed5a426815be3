/** The list of API keys: the user's own, and for the account owner those of everyone. */
import { get, post, type OutputOf } from '../api.ts';
import { signedInUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { TextButton, IconButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Badge, Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { RelativeTime, AbsoluteTime } from '../ui/time.tsx';
import { openCreateKey } from './create-key.tsx';

const texts = t.integration.keys;
type Key = OutputOf<'v1/keys/list'>['data'][number];

interface KeysSectionProps {
  /** The key that was just created; empty if there is none or it was revoked. */
  made: string;
  setMade: (key: string) => void;
}

export function KeysSection({ made, setMade }: KeysSectionProps) {
  const keys = useResource('keys', (options) => get('v1/keys/list', {}, options), ['keys']);
  const create = (): void =>
    openCreateKey((key) => {
      setMade(key);
      void keys.reload();
    });
  const revoked = ({ prefix }: Key): void => {
    if (made.startsWith(prefix)) setMade('');
    void keys.reload();
  };
  const button = (
    <TextButton look="primary" icon="add" onClick={create}>
      {texts.create}
    </TextButton>
  );
  return (
    <Section title={texts.title} lead={texts.lead} actions={button}>
      <ResourceView resource={keys}>
        {({ data }) =>
          data.length > 0 ? (
            <div class="named-cells">
              <DataTable
                label={texts.table}
                columns={columnsFor(revoked)}
                rows={data.toSorted((a, b) => b.create_time - a.create_time)}
                keyOf={({ id }) => id}
              />
            </div>
          ) : (
            <EmptyState icon="key" title={texts.none}>
              <p class="quiet">{texts.noneText}</p>
            </EmptyState>
          )
        }
      </ResourceView>
    </Section>
  );
}

const columnsFor = (revoked: (key: Key) => void): readonly Column<Key>[] => [
  {
    title: texts.name,
    width: 'minmax(0, 1.3fr)',
    render: ({ name, prefix }) => (
      <span class="key-name">
        <strong>{name}</strong>
        <code class="quiet">{`${prefix}…`}</code>
      </span>
    ),
  },
  ...(signedInUser.value.owner
    ? [{ title: texts.whose, width: 'minmax(0, 1.5fr)', render: ({ email }: Key) => email }]
    : []),
  { title: texts.created, render: ({ create_time }) => <RelativeTime time={create_time} />, wideOnly: true },
  { title: texts.expires, render: (key) => <Expiry of={key} /> },
  {
    title: texts.networks,
    width: 'minmax(0, 1.2fr)',
    render: ({ networks }) => (networks.length > 0 ? networks.join(', ') : texts.everywhere),
    wideOnly: true,
  },
  {
    title: texts.lastUsed,
    render: ({ last_used }) => (last_used === undefined ? texts.unused : <RelativeTime time={last_used} />),
  },
  {
    title: '',
    width: '44px',
    render: (key) => (
      <IconButton icon="trash" title={texts.revoke(key.name)} onClick={() => void revoke(key, revoked)} />
    ),
  },
];

function Expiry({ of: { expires, expired } }: { of: Key }) {
  if (expired) return <Badge tone="bad">{texts.expired}</Badge>;
  return expires === undefined ? <>{texts.never}</> : <AbsoluteTime time={expires} />;
}

async function revoke(key: Key, revoked: (key: Key) => void): Promise<void> {
  const question = { title: texts.revokeTitle, text: texts.revokeText(key.name), yes: texts.revokeYes };
  if (!(await confirmAction(question))) return;
  await attempt(async () => {
    await post('v1/keys/revoke', { id: key.id });
    revoked(key);
  }, texts.revoked);
}
