/** The page with the connection history: running sessions, and past connections filtered by the query string. */
import { useEffect } from 'preact/hooks';
import { toDownloadUrl } from '../api.ts';
import { toPageRange } from '../page-range.ts';
import { useKeepPrevious, useResource } from '../resource.ts';
import { query, setQuery } from '../router.ts';
import { t } from '../texts/index.ts';
import { numeral } from '../texts/language.ts';
import { TextButton, LinkButton } from '../ui/button.tsx';
import { PageLayout } from '../ui/layout.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import { loadHistory, type HistoryResult } from './load-history.ts';
import { setConnectionFilter, HistoryFilterBar } from './filter-bar.tsx';
import {
  toConnectionParams,
  toConnectionFilter,
  isRangeReversed,
  isConnectionFiltered,
  emptyConnectionFilter,
  historyPageSize,
  toConnectionQuery,
  type ConnectionFilter,
} from './filter.ts';
import { HistoryTable } from './history-table.tsx';
import { RunningSessions } from './running-sessions.tsx';

const { history: texts } = t;

/** Redirects to the last page if the page number is too high, for example after connections were removed. */
function useLastPage({ page }: ConnectionFilter, shown: HistoryResult | undefined): void {
  const { pages } = toPageRange(shown?.total ?? 0, historyPageSize, page);
  const isPast = shown !== undefined && page > pages;
  useEffect(() => {
    if (isPast) setQuery(toConnectionQuery({ page: pages }));
  }, [isPast, pages]);
}

export function HistoryPage() {
  const filter = toConnectionFilter(query.value);
  const history = useKeepPrevious(
    useResource(
      JSON.stringify(filter),
      (options) => (isRangeReversed(filter) ? Promise.resolve(nothing) : loadHistory(filter, options)),
      ['sessions'],
    ),
  );
  const shown = history.value.value;
  useLastPage(filter, history.isStale?.value ? undefined : shown);
  const people = (shown?.connections ?? []).flatMap(({ client }) => client.map(({ login }) => login));
  return (
    <PageLayout
      title={texts.title}
      lead={shown && !isConnectionFiltered(filter) ? texts.count(numeral(shown.total)) : undefined}
      actions={
        <LinkButton
          href={toDownloadUrl('v1/history/export', toConnectionParams(filter))}
          icon="download"
          download
        >
          {texts.export}
        </LinkButton>
      }
    >
      <RunningSessions />
      <HistoryFilterBar filter={filter} people={people.filter((login) => login !== '')} />
      <ResourceView resource={history}>
        {(found) => <List filter={filter} shown={found} onDone={() => history.reload()} />}
      </ResourceView>
    </PageLayout>
  );
}

const nothing: HistoryResult = { total: 0, connections: [] };

interface ListProps {
  filter: ConnectionFilter;
  shown: HistoryResult;
  onDone: () => Promise<void>;
}

function List({ filter, shown, onDone }: ListProps) {
  if (shown.total === 0) return <Nothing filter={filter} />;
  return (
    <>
      {isConnectionFiltered(filter) && (
        <p class="quiet" role="status">
          {texts.count(numeral(shown.total))}
        </p>
      )}
      <HistoryTable connections={shown.connections} onDone={onDone} />
      <Pager total={shown.total} size={historyPageSize} page={filter.page} />
    </>
  );
}

const Nothing = ({ filter }: { filter: ConnectionFilter }) =>
  isConnectionFiltered(filter) ? (
    <EmptyState icon="search" title={texts.noMatch.title}>
      <p class="quiet">{isRangeReversed(filter) ? texts.filters.backwards : texts.noMatch.text}</p>
      <TextButton onClick={() => setConnectionFilter(emptyConnectionFilter)}>
        {texts.filters.clear}
      </TextButton>
    </EmptyState>
  ) : (
    <EmptyState icon="clock" title={texts.empty.title}>
      <p class="quiet">{texts.empty.text}</p>
    </EmptyState>
  );
