/** The tab with the connection history of a device. */
import { useState } from 'preact/hooks';
import { readableBytes } from '../../../../ui/readable.ts';
import { get, type ApiRequestOptions } from '../../../api.ts';
import type { HistoryConnection } from '../../../history/connection.ts';
import { useKeepPrevious, useResource } from '../../../resource.ts';
import { loadPersonLabels } from '../../../team/people/load-person-names.ts';
import { t } from '../../../texts/index.ts';
import { TextButton, LinkButton } from '../../../ui/button.tsx';
import { Badge } from '../../../ui/layout.tsx';
import { EmptyState, ResourceView } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/tables/table.tsx';
import { type Column } from '../../../ui/tables/column.ts';
import { AbsoluteTime, readableDuration } from '../../../ui/time.tsx';
import type { TabProps } from '../device-details.ts';

const texts = t.device.history;
const pageSize = 20;

interface Connection extends HistoryConnection {
  /** The operator, with their name. */
  operator: string;
}

async function loadConnections(agent_id: number, limit: number, options: ApiRequestOptions) {
  const { total, data } = await get('v1/history/list', { agent_id, limit }, options);
  const labelOf = await loadPersonLabels(
    data.map(({ client: [client] }) => client?.login ?? ''),
    options,
  );
  const connections: Connection[] = data.map((each) => {
    const login = each.client[0]?.login;
    return { ...each, operator: login ? labelOf(login) : texts.link };
  });
  return { total, connections };
}

const Length = ({ start, stop, bytes }: Connection) => (
  <span class="two-lines">
    <span>
      {stop === undefined ? (
        <Badge tone="good">{texts.running}</Badge>
      ) : (
        <>{readableDuration(stop - start)}</>
      )}
    </span>
    {stop !== undefined && bytes > 0 && <span class="quiet">{readableBytes(bytes)}</span>}
  </span>
);

const columns: readonly Column<Connection>[] = [
  { title: texts.start, render: ({ start }) => <AbsoluteTime time={start} /> },
  { title: texts.who, width: 'minmax(0, 1.6fr)', render: ({ operator }) => operator },
  { title: texts.from, wideOnly: true, render: ({ client }) => client[0]?.geo.ip ?? '' },
  { title: texts.length, width: '110px', render: (connection) => <Length {...connection} /> },
  { title: texts.note, wideOnly: true, render: ({ note }) => note ?? '' },
  {
    title: texts.recording,
    width: '110px',
    render: ({ video }) =>
      video && (
        <LinkButton href={video.url} outside>
          {texts.play}
        </LinkButton>
      ),
  },
];

export function HistoryTab({ device }: TabProps) {
  const [limit, setLimit] = useState(pageSize);
  const history = useKeepPrevious(
    useResource(`history ${device.id} ${limit}`, (options) => loadConnections(device.id, limit, options), [
      'sessions',
    ]),
  );
  return (
    <ResourceView resource={history}>
      {({ connections, total }) =>
        connections.length === 0 ? (
          <EmptyState icon="clock" title={texts.none} />
        ) : (
          <>
            <DataTable label={texts.table} columns={columns} rows={connections} keyOf={({ id }) => id} />
            <div class="bar">
              {total > connections.length && limit < 100 && (
                <TextButton onClick={() => setLimit(100)}>{texts.more}</TextButton>
              )}
              <LinkButton href={`/panel/history?device=${device.id}`}>{texts.all}</LinkButton>
            </div>
          </>
        )
      }
    </ResourceView>
  );
}
