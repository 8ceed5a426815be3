/** The list of API keys: the user's own, and for the account owner those of everyone. */
import { get, post, type ApiRequestOptions, type OutputOf } from '../api.ts';
import { signedInUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { loadPersonLabels } from '../team/people/load-person-names.ts';
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
interface Key extends Omit<OutputOf<'v1/keys/list'>['data'][number], 'email'> {
  /** The person it belongs to, with their name. */
  person: string;
}

async function loadKeys(options: ApiRequestOptions): Promise<Key[]> {
  const { data } = await get('v1/keys/list', {}, options);
  const emails = data.map(({ email }) => email);
  const labelOf = await loadPersonLabels(emails, options);
  return data.map(({ email, ...key }) => ({ ...key, person: labelOf(email) }));
}

interface KeysSectionProps {
  /** The key that was just created; empty if there is none or it was revoked. */
  made: string;
  setMade: (key: string) => void;
}

export function KeysSection({ made, setMade }: KeysSectionProps) {
  const keys = useResource('keys', loadKeys, ['keys']);
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
        {(all) =>
          all.length > 0 ? (
            <div class="named-cells">
              <DataTable
                label={texts.table}
                name="keys"
                columns={columnsFor(revoked)}
                rows={all.toSorted((a, b) => b.create_time - a.create_time)}
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

const limitColumns: readonly Column<Key>[] = [
  {
    title: texts.created,
    id: 'created',
    sortBy: ({ create_time }) => create_time,
    wideOnly: true,
    render: ({ create_time }) => <RelativeTime time={create_time} />,
  },
  {
    title: texts.expires,
    id: 'expires',
    sortBy: ({ expires }) => expires ?? Number.MAX_SAFE_INTEGER,
    render: (key) => <Expiry of={key} />,
  },
  {
    title: texts.networks,
    render: ({ networks }) => (networks.length > 0 ? networks.join(', ') : texts.everywhere),
    wideOnly: true,
  },
  {
    title: texts.lastUsed,
    id: 'used',
    sortBy: ({ last_used }) => last_used ?? 0,
    render: ({ last_used }) => (last_used === undefined ? texts.unused : <RelativeTime time={last_used} />),
  },
];

const dataColumns = (): readonly Column<Key>[] => [
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
  ...(signedInUser.value.owner
    ? [
        {
          title: texts.whose,
          id: 'whose',
          sortBy: ({ person }: Key) => person,
          render: ({ person }: Key) => person,
        },
      ]
    : []),
];

const columnsFor = (revoked: (key: Key) => void): readonly Column<Key>[] => [
  ...dataColumns(),
  ...limitColumns,
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
