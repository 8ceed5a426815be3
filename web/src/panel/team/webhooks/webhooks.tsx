/** The page with the webhooks of the account, and how their deliveries go. */
import { post } from '../../api.ts';
import { fieldError } from '../../panel-api-error.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Badge, Section } from '../../ui/layout.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt } from '../../ui/notices.ts';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { TeamPage } from '../team-page.tsx';
import { useWebhooks, type Webhook } from './webhook-data.ts';
import { editWebhook, openNewWebhook, renewWebhookSecret } from './webhook-form.tsx';

const texts = t.webhooks;

function StateBadge({ of }: { of: Webhook }) {
  if (of.disabled_time !== undefined)
    return (
      <span title={texts.stoppedHint}>
        <Badge tone="bad">{texts.stopped}</Badge>
      </span>
    );
  if (!of.enabled) return <Badge tone="plain">{texts.off}</Badge>;
  return of.problem === '' ? (
    <Badge tone="good">{texts.on}</Badge>
  ) : (
    <Badge tone="warn">{texts.failing}</Badge>
  );
}

const LastResult = ({ of: { last_time, problem, http_status } }: { of: Webhook }) =>
  last_time === undefined ? (
    <span class="quiet">{texts.never}</span>
  ) : (
    <span class="quiet wraps">
      {problem === '' ? texts.accepted : texts.tried} <RelativeTime time={last_time} />
      {problem !== '' && ` – ${texts.withStatus(texts.problems[problem], http_status)}`}
    </span>
  );

const StateCell = ({ of }: { of: Webhook }) => (
  <span class="two-lines">
    <span>
      <StateBadge of={of} />
    </span>
    <LastResult of={of} />
    {of.next_time !== undefined && (
      <span class="quiet wraps">
        {texts.waiting(of.waiting)}, {texts.next} <RelativeTime time={of.next_time} />
      </span>
    )}
    {of.lost > 0 && <span class="quiet wraps">{texts.lost(of.lost)}</span>}
  </span>
);

async function test({ id }: Webhook): Promise<void> {
  await attempt(async () => {
    const { problem, http_status } = (await post('v1/team/webhook/test', { id })).data;
    if (problem !== '') throw fieldError('url', texts.withStatus(texts.problems[problem], http_status));
  }, texts.tested);
}

async function remove({ id, name }: Webhook): Promise<void> {
  const question = { title: texts.removeTitle, text: texts.removeText(name), yes: texts.remove };
  if (!(await confirmAction(question))) return;
  await attempt(() => post('v1/team/webhook/remove', { id }), texts.removed);
}

const WebhookMenu = ({ of }: { of: Webhook }) => (
  <Menu
    icon="more"
    title={texts.actions(of.name)}
    parts={() => [
      {
        items: [
          { text: texts.test, choose: () => void test(of) },
          { text: texts.edit, choose: () => void editWebhook(of) },
          { text: texts.renew, choose: () => void renewWebhookSecret(of) },
        ],
      },
      { items: [{ text: texts.remove, choose: () => void remove(of) }] },
    ]}
  />
);

/** The path is often secret, and too long for a table. */
const columns: readonly Column<Webhook>[] = [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    render: ({ name, url }) => (
      <span class="two-lines">
        <strong class="wraps">{name}</strong>
        <span class="quiet wraps">{new URL(url).host}</span>
      </span>
    ),
  },
  {
    title: texts.events,
    id: 'events',
    wideOnly: true,
    render: ({ events }) => (
      <span class="quiet wraps">
        {events.map((event) => texts.eventNames[event as keyof typeof texts.eventNames]).join(' · ')}
      </span>
    ),
  },
  { title: texts.state, id: 'state', render: (webhook) => <StateCell of={webhook} /> },
  { title: '', width: '44px', render: (webhook) => <WebhookMenu of={webhook} /> },
];

const create = (
  <TextButton look="primary" icon="add" onClick={() => void openNewWebhook()}>
    {texts.add}
  </TextButton>
);

export function WebhooksPage() {
  const webhooks = useWebhooks();
  return (
    <TeamPage here="webhooks" actions={create}>
      <Section title={texts.title} lead={texts.lead}>
        <ResourceView resource={webhooks}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon="key" title={texts.none}>
                <p class="quiet">{texts.noneText}</p>
              </EmptyState>
            ) : (
              <DataTable
                label={texts.table}
                name="webhooks"
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
              />
            )
          }
        </ResourceView>
      </Section>
    </TeamPage>
  );
}
