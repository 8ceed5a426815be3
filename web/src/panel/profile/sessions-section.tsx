/** The profile section that lists the browsers where the user is signed in, and signs them out. */
import { get, post, type OutputOf } from '../api.ts';
import { clearCurrentUser } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { navigate } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Badge, Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { ResourceView } from '../ui/states.tsx';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { RelativeTime } from '../ui/time.tsx';
import { describeBrowser } from './describe-browser.ts';

const texts = t.profile.sessions;
type PanelSession = OutputOf<'me/sessions'>['data'][number];

export function SessionsSection() {
  const sessions = useResource('signed-in', (options) => get('me/sessions', {}, options), ['me']);
  const end = ({ id }: PanelSession): void =>
    void attempt(async () => {
      await post('me/sessions/end', { id });
      await sessions.reload();
    }, texts.ended);
  return (
    <Section title={texts.title} actions={<TextButton onClick={() => void endAll()}>{texts.all}</TextButton>}>
      <ResourceView resource={sessions}>
        {({ data }) => (
          <div class="named-cells">
            <DataTable
              label={texts.table}
              columns={columnsFor(end)}
              rows={data.toSorted((a, b) => Number(b.here) - Number(a.here) || b.last_seen - a.last_seen)}
              keyOf={({ id }) => id}
            />
          </div>
        )}
      </ResourceView>
    </Section>
  );
}

const columnsFor = (end: (session: PanelSession) => void): readonly Column<PanelSession>[] => [
  { title: texts.place, width: 'minmax(0, 1.6fr)', render: ({ user_agent }) => describeBrowser(user_agent) },
  { title: texts.address, render: ({ address }) => address },
  { title: texts.seen, render: ({ last_seen }) => <RelativeTime time={last_seen} /> },
  { title: texts.since, render: ({ create_time }) => <RelativeTime time={create_time} />, wideOnly: true },
  {
    title: '',
    width: '120px',
    render: (session) => (
      <span class="cell-end">
        {session.here ? (
          <Badge tone="accent">{texts.here}</Badge>
        ) : (
          <TextButton
            title={texts.endLabel(describeBrowser(session.user_agent))}
            onClick={() => end(session)}
          >
            {texts.end}
          </TextButton>
        )}
      </span>
    ),
  },
];

async function endAll(): Promise<void> {
  if (!(await confirmAction({ title: texts.allTitle, text: texts.allText, yes: texts.all }))) return;
  await attempt(async () => {
    await post('me/sessions/end-all', {});
    clearCurrentUser();
    navigate('/sign-in');
  });
}
