/** The running sessions, if there are any: who is connected to what, and a button to end each. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { confirmAction } from '../ui/dialog.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { ErrorState } from '../ui/states.tsx';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { RelativeTime } from '../ui/time.tsx';
import { loadRunningSessions, type ListedSession } from './load-history.ts';
import { describeClient } from './connection.ts';

const { running: texts } = t.history;

/** The number shown before the user expands the list, so that it does not dominate the page. */
const initialCount = 3;

async function end({ id, operator, target }: ListedSession): Promise<void> {
  const { title, text, yes, done } = texts.ending;
  if (!(await confirmAction({ title, text: text(operator, target), yes }))) return;
  await attempt(() => post('v1/sessions/close', { id }), done);
}

const Target = ({ agent_id, target }: ListedSession) =>
  agent_id === undefined ? <strong>{target}</strong> : <a href={`/panel/devices/${agent_id}`}>{target}</a>;

const columns: readonly Column<ListedSession>[] = [
  { title: texts.what, render: (session) => <span class="cell-name">{Target(session)}</span> },
  { title: texts.who, width: 'minmax(0, 1.5fr)', render: ({ operator }) => operator },
  { title: texts.since, width: '120px', render: ({ start }) => <RelativeTime time={start} /> },
  {
    title: texts.from,
    width: 'minmax(0, 1.2fr)',
    render: (session) => <span class="quiet small">{describeClient(session)}</span>,
  },
  {
    title: '',
    width: '96px',
    render: (session) =>
      session.mayEnd && (
        <span class="cell-end">
          <TextButton title={texts.endOf(session.target)} onClick={() => void end(session)}>
            {texts.end}
          </TextButton>
        </span>
      ),
  },
];

export function RunningSessions() {
  const { value, error, reload } = useResource('running', loadRunningSessions, ['sessions', 'support']);
  const [all, setAll] = useState(false);
  if (value.value === undefined)
    return error.value === undefined ? null : (
      <ErrorState error={error.value} onRetry={() => void reload()} />
    );
  const { total, sessions } = value.value;
  if (sessions.length === 0) return null;
  return (
    <Section
      title={texts.title}
      actions={
        sessions.length > initialCount && (
          <TextButton look="plain" onClick={() => setAll(!all)}>
            {all ? texts.fewer : texts.all(sessions.length)}
          </TextButton>
        )
      }
    >
      <DataTable
        label={texts.title}
        columns={columns}
        rows={all ? sessions : sessions.slice(0, initialCount)}
        keyOf={({ id }) => id}
      />
      {all && total > sessions.length && <p class="quiet">{texts.more(total - sessions.length)}</p>}
    </Section>
  );
}
