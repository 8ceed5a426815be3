/** The sessions that run now, where there are any: who is connected to what, and how to end it. */
import { useState } from 'preact/hooks';
import { post } from '../api.ts';
import { useResource } from '../resource.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { askFirst } from '../ui/dialog.tsx';
import { Section } from '../ui/layout.tsx';
import { attempt } from '../ui/notices.ts';
import { Problem } from '../ui/states.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';
import { askRunning, type ShownRunning } from './ask.ts';
import { runningFrom, whoOf } from './connection.ts';

const { running: texts } = t.history;

/** As many are shown at first: the page is not about them alone. */
const few = 3;

async function end({ id, login, target }: ShownRunning): Promise<void> {
  const { title, text, yes, done } = texts.ending;
  if (!(await askFirst({ title, text: text(whoOf(login), target), yes }))) return;
  await attempt(() => post('v1/sessions/close', { id }), done);
}

const Target = ({ agent_id, target }: ShownRunning) =>
  agent_id === undefined ? <strong>{target}</strong> : <a href={`/panel/devices/${agent_id}`}>{target}</a>;

const columns: readonly Column<ShownRunning>[] = [
  { title: texts.what, draw: (session) => <span class="cell-name">{Target(session)}</span> },
  { title: texts.who, width: 'minmax(0, 1.5fr)', draw: ({ login }) => whoOf(login) },
  { title: texts.since, width: '120px', draw: ({ start }) => <Ago time={start} /> },
  {
    title: texts.from,
    width: 'minmax(0, 1.2fr)',
    draw: (session) => <span class="quiet small">{runningFrom(session)}</span>,
  },
  {
    title: '',
    width: '96px',
    draw: (session) =>
      session.mayEnd && (
        <span class="cell-end">
          <Button title={texts.endOf(session.target)} onClick={() => void end(session)}>
            {texts.end}
          </Button>
        </span>
      ),
  },
];

export function RunningSessions() {
  const { value, error, reload } = useResource('running', askRunning, ['sessions', 'support']);
  const [all, setAll] = useState(false);
  if (value.value === undefined)
    return error.value === undefined ? null : <Problem error={error.value} again={() => void reload()} />;
  const { total, sessions } = value.value;
  if (sessions.length === 0) return null;
  return (
    <Section
      title={texts.title}
      actions={
        sessions.length > few && (
          <Button look="plain" onClick={() => setAll(!all)}>
            {all ? texts.fewer : texts.all(sessions.length)}
          </Button>
        )
      }
    >
      <Table
        label={texts.title}
        columns={columns}
        rows={all ? sessions : sessions.slice(0, few)}
        keyOf={({ id }) => id}
      />
      {all && total > sessions.length && <p class="quiet">{texts.more(total - sessions.length)}</p>}
    </Section>
  );
}
