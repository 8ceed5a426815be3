/** Connection history: what runs now, and what was, filtered by what stands in the address. */
import { useEffect, useRef } from 'preact/hooks';
import { addressOf } from '../api.ts';
import { cutOf } from '../pages-of.ts';
import { useResource, type Resource } from '../resource.ts';
import { query, setQuery } from '../router.ts';
import { t } from '../texts/index.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/layout.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty, Loading, Problem } from '../ui/states.tsx';
import { askHistory, type HistoryPage as Shown } from './ask.ts';
import { refine, FilterBar } from './filter-bar.tsx';
import {
  askedOf,
  filterOf,
  isBackwards,
  isFiltered,
  noFilter,
  pageSize,
  queryOf,
  type Filter,
} from './filter.ts';
import { HistoryTable } from './history-table.tsx';
import { RunningSessions } from './running-sessions.tsx';

const { history: texts } = t;
const number = new Intl.NumberFormat('en');

function hrefOf(page: number): string {
  const next = new URLSearchParams(query.value);
  next.delete('page');
  const { page: written = '' } = queryOf({ page });
  if (written !== '') next.set('page', written);
  return `/panel/history${next.size === 0 ? '' : `?${next.toString()}`}`;
}

/** What was shown stays until the next page is there: whoever walks with the keyboard keeps the place. */
function useKept({ value }: Resource<Shown>): { shown: Shown | undefined; isOld: boolean } {
  const kept = useRef<Shown | undefined>(undefined);
  if (value.value !== undefined) kept.current = value.value;
  return { shown: kept.current, isOld: value.value === undefined };
}

/** Whoever is past the end, by an old address or because something was removed, is taken to the last page. */
function useLastPage({ page }: Filter, shown: Shown | undefined): void {
  const { pages } = cutOf(shown?.total ?? 0, pageSize, page);
  const isPast = shown !== undefined && page > pages;
  useEffect(() => {
    if (isPast) setQuery(queryOf({ page: pages }));
  }, [isPast, pages]);
}

export function HistoryPage() {
  const filter = filterOf(query.value);
  const resource = useResource(
    JSON.stringify(filter),
    (asking) => (isBackwards(filter) ? Promise.resolve(nothing) : askHistory(filter, asking)),
    ['sessions'],
  );
  const { shown, isOld } = useKept(resource);
  useLastPage(filter, isOld ? undefined : shown);
  const people = (shown?.connections ?? []).flatMap(({ client }) => client.map(({ login }) => login));
  return (
    <Page
      title={texts.title}
      lead={shown && !isFiltered(filter) ? texts.count(number.format(shown.total)) : undefined}
      actions={
        <ButtonLink href={addressOf('v1/history/export', askedOf(filter))} icon="download" download>
          {texts.export}
        </ButtonLink>
      }
    >
      <RunningSessions />
      <FilterBar filter={filter} people={people.filter((login) => login !== '')} />
      <div class="history" aria-busy={isOld ? 'true' : 'false'}>
        <List filter={filter} shown={shown} resource={resource} />
      </div>
    </Page>
  );
}

const nothing: Shown = { total: 0, connections: [] };

interface ListProps {
  filter: Filter;
  shown: Shown | undefined;
  resource: Resource<Shown>;
}

function List({ filter, shown, resource: { value, error, reload } }: ListProps) {
  if (value.value === undefined && error.value !== undefined)
    return <Problem error={error.value} again={() => void reload()} />;
  if (!shown) return <Loading />;
  if (shown.total === 0) return <Nothing filter={filter} />;
  return (
    <>
      {isFiltered(filter) && (
        <p class="quiet" role="status">
          {texts.count(number.format(shown.total))}
        </p>
      )}
      <HistoryTable connections={shown.connections} onDone={reload} />
      <Pager total={shown.total} size={pageSize} page={filter.page} hrefOf={hrefOf} />
    </>
  );
}

const Nothing = ({ filter }: { filter: Filter }) =>
  isFiltered(filter) ? (
    <Empty icon="search" title={texts.noMatch.title}>
      <p class="quiet">{isBackwards(filter) ? texts.filters.backwards : texts.noMatch.text}</p>
      <Button onClick={() => refine(noFilter)}>{texts.filters.clear}</Button>
    </Empty>
  ) : (
    <Empty icon="clock" title={texts.empty.title}>
      <p class="quiet">{texts.empty.text}</p>
    </Empty>
  );
