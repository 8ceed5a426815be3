/** The page with the identity providers of the account, and whether people can sign in only with them. */
import { post } from '../../api.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Badge, Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { TeamPage } from '../team-page.tsx';
import { providerHref, useProviders, type Provider } from './provider-data.ts';
import { openNewProvider } from './provider-form.tsx';

const texts = t.sso.team;

const columns: readonly Column<Provider>[] = [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    render: ({ id, name }) => (
      <span class="cell-name">
        <a href={providerHref(id)}>{name}</a>
      </span>
    ),
  },
  { title: texts.issuer, id: 'issuer', wideOnly: true, render: ({ issuer }) => issuer },
  {
    title: texts.people,
    id: 'people',
    width: '120px',
    sortBy: ({ people }) => people,
    render: ({ people }) => texts.count(people),
  },
  {
    title: texts.state,
    id: 'state',
    width: '120px',
    render: ({ enabled }) => (
      <Badge tone={enabled ? 'good' : 'plain'}>{enabled ? texts.on : texts.off}</Badge>
    ),
  },
];

async function requireSso(only_sso: boolean): Promise<void> {
  const question = { title: texts.turnOnTitle, text: texts.turnOnText, yes: texts.turnOn };
  if (only_sso && !(await confirmAction(question))) return;
  const done = only_sso ? texts.turnedOn : texts.turnedOff;
  await attempt(() => post('v1/team/provider/require', { only_sso }), done);
}

const OnlySso = ({ isOn }: { isOn: boolean }) => (
  <Section
    title={texts.only}
    lead={texts.onlyLead}
    actions={
      <TextButton onClick={() => void requireSso(!isOn)}>{isOn ? texts.turnOff : texts.turnOn}</TextButton>
    }
  >
    <p>{isOn ? texts.isOn : texts.isOff}</p>
  </Section>
);

const create = (
  <TextButton look="primary" icon="add" onClick={() => void openNewProvider()}>
    {texts.add}
  </TextButton>
);

export function ProvidersPage() {
  const providers = useProviders();
  return (
    <TeamPage here="providers" actions={create}>
      <ResourceView resource={providers}>
        {({ data, only_sso }) => (
          <>
            {data.length === 0 ? (
              <EmptyState icon="key" title={texts.none}>
                <p class="quiet">{texts.noneText}</p>
              </EmptyState>
            ) : (
              <DataTable
                label={texts.table}
                name="providers"
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
                onOpen={({ id }) => navigate(providerHref(id))}
              />
            )}
            {(data.length > 0 || only_sso) && <OnlySso isOn={only_sso} />}
          </>
        )}
      </ResourceView>
    </TeamPage>
  );
}
