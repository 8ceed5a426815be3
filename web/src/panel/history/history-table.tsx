/** The table of connections: time, operator, target, note and recording. */
import { readableBytes, readableTime } from '../../ui/readable.ts';
import type { MenuItem } from '../../ui/menu.ts';
import { serverNow } from '../current-user.ts';
import { t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Badge } from '../ui/layout.tsx';
import { Menu } from '../ui/menu.tsx';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { AbsoluteTime, readableDuration } from '../ui/time.tsx';
import type { ListedConnection } from './load-history.ts';
import { describeOrigin } from './connection.ts';
import { editNote, readNote, removeVideo } from './connection-actions.tsx';
import { setConnectionFilter } from './filter-bar.tsx';

const { history: texts } = t;

/** Shown only after the connection has ended: the count of a running one is incomplete. */
const Transferred = ({ bytes }: Pick<ListedConnection, 'bytes'>) => (
  <span title={texts.transferredHint}>
    {' · '}
    {readableBytes(bytes)}
    <span class="unseen"> {texts.transferred}</span>
  </span>
);

const When = ({ start, stop, bytes }: ListedConnection) => (
  <span class="two-lines">
    <AbsoluteTime time={start} />
    <span class="quiet">
      {stop === undefined && <Badge tone="accent">{texts.isRunning}</Badge>}{' '}
      {readableDuration(Math.max(0, (stop ?? serverNow()) - start))}
      {stop !== undefined && bytes > 0 && <Transferred bytes={bytes} />}
    </span>
  </span>
);

const Who = (connection: ListedConnection) => (
  <span class="two-lines">
    <span title={connection.operator}>{connection.operator}</span>
    <span class="quiet wraps">{describeOrigin(connection)}</span>
  </span>
);

const What = ({ agent, support_id, clientName }: ListedConnection) =>
  agent ? (
    <span class="two-lines">
      <a href={`/panel/devices/${agent.id}`} title={agent.name}>
        {agent.name}
      </a>
      <span class="quiet">{agent.group}</span>
    </span>
  ) : (
    <span class="two-lines">
      <span>{clientName || texts.invitation}</span>
      {support_id !== undefined && <span class="quiet">{texts.invitationNumber(support_id)}</span>}
    </span>
  );

const Recording = ({ video }: ListedConnection) =>
  video && (
    <span class="recording">
      <LinkButton href={video.url} icon="play" outside>
        {texts.play}
      </LinkButton>
      <span class="quiet small">{readableBytes(video.size)}</span>
    </span>
  );

interface NoteProps {
  connection: ListedConnection;
  onDone: () => Promise<void>;
}

/** Shows who ended the connection, except in the usual case that the operator did. */
const Ending = ({ ended_by: by }: Pick<ListedConnection, 'ended_by'>) =>
  by === undefined || by === 'operator' ? null : <span class="quiet">{texts.endedBy[by]}</span>;

/** The beginning of the note; a click opens all of it. */
const Note = ({ connection, onDone }: NoteProps) =>
  connection.note === undefined ? null : (
    <button
      type="button"
      class="note"
      onClick={() => (connection.mayNote ? editNote(connection, onDone) : readNote(connection.note ?? ''))}
    >
      {connection.note}
    </button>
  );

function itemsFor(connection: ListedConnection, onDone: () => Promise<void>): MenuItem[] {
  const { agent, support_id, client, note, mayNote } = connection;
  const login = client[0]?.login;
  const items: (MenuItem | false)[] = [
    mayNote && {
      text: note === undefined ? texts.addNote : texts.editNote,
      choose: () => editNote(connection, onDone),
    },
    agent !== undefined && {
      text: texts.onlyDevice,
      choose: () => setConnectionFilter({ device: agent.id }),
    },
    support_id !== undefined && {
      text: texts.onlyInvitation,
      choose: () => setConnectionFilter({ invitation: support_id }),
    },
    !!login && { text: texts.onlyPerson, choose: () => setConnectionFilter({ person: login }) },
    connection.mayRemoveVideo && {
      text: texts.removeVideo,
      choose: () => void removeVideo(connection, onDone),
    },
  ];
  return items.filter((item) => item !== false);
}

const columnsWith = (onDone: () => Promise<void>): readonly Column<ListedConnection>[] => [
  { title: texts.columns.when, width: 'minmax(10rem, max-content)', render: When },
  { title: texts.columns.what, render: What },
  { title: texts.columns.who, id: 'who', choice: 'shown', width: 'minmax(12rem, 2fr)', render: Who },
  {
    title: texts.columns.note,
    id: 'note',
    choice: 'shown',
    width: 'minmax(6rem, 2fr)',
    render: (connection) => (
      <span class="two-lines">
        {connection.reason !== undefined && <span dir="auto">{texts.reason(connection.reason)}</span>}
        <Note connection={connection} onDone={onDone} />
        <Ending {...connection} />
      </span>
    ),
  },
  { title: texts.columns.recording, id: 'recording', choice: 'shown', width: '158px', render: Recording },
  {
    title: '',
    width: '40px',
    render: (connection) => (
      <Menu
        icon="more"
        title={texts.more(readableTime(connection.start))}
        parts={() => [{ items: itemsFor(connection, onDone) }]}
      />
    ),
  },
];

interface HistoryTableProps {
  connections: readonly ListedConnection[];
  /** Called after a change, to reload the list. */
  onDone: () => Promise<void>;
}

export const HistoryTable = ({ connections, onDone }: HistoryTableProps) => (
  <div class="history-table">
    <DataTable
      label={texts.list}
      name="history"
      columns={columnsWith(onDone)}
      rows={connections}
      keyOf={({ id }) => id}
    />
  </div>
);
