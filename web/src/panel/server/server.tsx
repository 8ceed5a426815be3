/** The page for server administrators: the accounts, their plans and their usage. */
import { accountSorts } from '@drawbridge/contract/choices';
import { get, type OutputOf } from '../api.ts';
import { useKeepPrevious, useResource } from '../resource.ts';
import { preferencesOf } from '../ui/tables/table-preferences.ts';
import { query, setQuery } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { SearchField } from '../ui/forms/form.tsx';
import { Badge, PageLayout } from '../ui/layout.tsx';
import { Menu } from '../ui/menu.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import type { TableSort } from '../ui/tables/table-order.ts';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { useDebouncedInput } from '../ui/forms/debounced-input.ts';
import { RelativeTime } from '../ui/time.tsx';
import { openNewAccount } from './new-account.tsx';
import { openEditPlan, openUsage } from './plan-dialogs.tsx';
import { RenewalWarning } from './renewal-warning.tsx';
import { planSummary, type Account } from './plan.ts';

const texts = t.server;
const pageSize = 50;
/** The name under which people's choices for the table are stored. */
const accountTable = 'accounts';

/** The server sorts, because it knows the accounts of all pages. */
function toSortParams(sort: TableSort | undefined) {
  const column = accountSorts.find((each) => each === sort?.column);
  return column === undefined ? {} : { sort: column, descending: sort?.descending === true };
}

const PlanBadge = ({ of }: { of: Account }) => {
  const { text, isFull } = planSummary(of);
  return isFull ? <Badge tone="bad">{text}</Badge> : <span>{text}</span>;
};

const AccountMenu = ({ of, reload }: { of: Account; reload: () => void }) => (
  <span class="cell-end">
    <Menu
      icon="more"
      title={texts.actions(of.owner)}
      parts={() => [
        {
          items: [
            { text: texts.details, choose: () => void openUsage(of, reload) },
            { text: texts.editPlan, choose: () => void openEditPlan(of, reload) },
          ],
        },
      ]}
    />
  </span>
);

const figureColumns: readonly Column<Account>[] = [
  {
    title: texts.members,
    id: 'members',
    sortBy: ({ members }) => members,
    choice: 'shown',
    wideOnly: true,
    render: ({ members }) => String(members),
  },
  {
    title: texts.devices,
    id: 'devices',
    sortBy: ({ devices }) => devices,
    render: ({ online, devices }) => texts.online(online, devices),
  },
  { title: texts.plan, id: 'plan', choice: 'shown', render: (account) => <PlanBadge of={account} /> },
  {
    title: texts.since,
    id: 'since',
    sortBy: ({ create_time }) => create_time,
    choice: 'shown',
    wideOnly: true,
    render: ({ create_time }) => <RelativeTime time={create_time} />,
  },
];

const columnsFor = (reload: () => void): Column<Account>[] => [
  {
    title: texts.owner,
    id: 'owner',
    sortBy: ({ owner }) => owner,
    render: (account) => (
      <span class="cell-name">
        <button type="button" class="text-button" onClick={() => void openUsage(account, reload)}>
          {account.owner}
        </button>
      </span>
    ),
  },
  ...figureColumns,
  {
    title: '',
    width: '44px',
    render: (account) => <AccountMenu of={account} reload={reload} />,
  },
];

interface ListProps {
  accounts: OutputOf<'server/accounts'>;
  page: number;
  reload: () => void;
}

const List = ({ accounts: { total, data }, page, reload }: ListProps) =>
  data.length === 0 ? (
    <EmptyState icon="search" title={texts.none} />
  ) : (
    <>
      <DataTable
        label={texts.label}
        name={accountTable}
        isSorted
        columns={columnsFor(reload)}
        rows={data}
        keyOf={({ account_id }) => account_id}
        onOpen={(account) => void openUsage(account, reload)}
      />
      <Pager total={total} size={pageSize} page={page} />
    </>
  );

const toPageNumber = (text: string | null): number => Math.max(1, Math.trunc(Number(text)) || 1);

export function ServerPage() {
  const [search, page] = [query.value.get('search') ?? '', toPageNumber(query.value.get('page'))];
  const { sort } = preferencesOf(accountTable);
  const accounts = useKeepPrevious(
    useResource(JSON.stringify([page, search, sort]), (options) =>
      get(
        'server/accounts',
        { search, ...toSortParams(sort), limit: pageSize, offset: (page - 1) * pageSize },
        options,
      ),
    ),
  );
  const [typed, type] = useDebouncedInput(search, (text) => setQuery({ search: text, page: '' }));
  const reload = (): void => void accounts.reload();
  const create = (
    <TextButton look="primary" icon="add" onClick={() => void openNewAccount(reload)}>
      {texts.create}
    </TextButton>
  );
  return (
    <PageLayout title={texts.title} lead={texts.lead} actions={create}>
      <RenewalWarning />
      <div class="bar">
        <SearchField label={texts.search} value={typed} onInput={type} />
        <span class="quiet" role="status">
          {accounts.value.value && texts.total(accounts.value.value.total)}
        </span>
      </div>
      <ResourceView resource={accounts}>
        {(found) => <List accounts={found} page={page} reload={reload} />}
      </ResourceView>
    </PageLayout>
  );
}
