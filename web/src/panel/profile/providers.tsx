/** The profile section that connects the user with identity providers of the account. */
import { get, post, type OutputOf } from '../api.ts';
import { loadCurrentUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { leaveToConnect } from '../sign-in/sso.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { type Column } from '../ui/tables/column.ts';
import { DataTable } from '../ui/tables/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

const texts = t.sso.profile;
type OwnProvider = OutputOf<'me/sso'>['data'][number];

/** Shown only where the account has providers. */
export function ProvidersSection() {
  const providers = useResource('own-providers', (options) => get('me/sso', {}, options), ['me', 'team']);
  if (providers.value.value?.data.length === 0) return null;
  const changed = (): Promise<unknown> => Promise.all([providers.reload(), loadCurrentUser()]);
  return (
    <Section title={texts.title} lead={texts.lead}>
      <ResourceView resource={providers}>
        {({ data }) => (
          <div class="named-cells">
            <DataTable label={texts.table} columns={columnsFor(changed)} rows={data} keyOf={({ id }) => id} />
          </div>
        )}
      </ResourceView>
    </Section>
  );
}

const columnsFor = (changed: () => Promise<unknown>): readonly Column<OwnProvider>[] => [
  { title: texts.provider, render: ({ name }) => <strong>{name}</strong> },
  {
    title: texts.state,
    render: ({ connected, email }) => (connected ? texts.connected(email ?? '') : texts.notConnected),
  },
  {
    title: texts.used,
    wideOnly: true,
    render: ({ last_used }) => last_used !== undefined && <RelativeTime time={last_used} />,
  },
  {
    title: '',
    width: '150px',
    render: (provider) =>
      provider.connected ? (
        <TextButton
          title={texts.disconnectFrom(provider.name)}
          onClick={() => void disconnect(provider, changed)}
        >
          {texts.disconnect}
        </TextButton>
      ) : (
        <TextButton
          title={texts.connectTo(provider.name)}
          onClick={() => void attempt(() => leaveToConnect(provider.id))}
        >
          {texts.connect}
        </TextButton>
      ),
  },
];

async function disconnect({ id, name }: OwnProvider, changed: () => Promise<unknown>): Promise<void> {
  const question = {
    title: texts.disconnectTitle(name),
    text: texts.disconnectText,
    yes: texts.disconnect,
  };
  if (!(await confirmAction(question))) return;
  await attempt(async () => {
    await post('me/sso/remove', { id });
    await changed();
  }, texts.disconnected);
}
