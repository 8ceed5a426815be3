/** The page with the requests for access: one's own, and those that one may decide. */
import { mayInTeam } from '../current-user.ts';
import { useKeepPrevious } from '../resource.ts';
import { query, setQuery } from '../router.ts';
import { t } from '../texts/index.ts';
import { FilterSelect } from '../ui/forms/filter-select.tsx';
import { Badge, PageLayout, type Tone } from '../ui/layout.tsx';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import { DataTable } from '../ui/tables/table.tsx';
import { type Column } from '../ui/tables/column.ts';
import { readableDuration, RelativeTime } from '../ui/time.tsx';
import { RequestActions } from './request-actions.tsx';
import { useRequests, type AccessRequest, type AccessRequestState } from './request-data.ts';
import { RequestSettings } from './request-settings.tsx';

const texts = t.requests;

const tones: Partial<Record<AccessRequestState, Tone>> = { waiting: 'warn', approved: 'good', denied: 'bad' };

const targetName = ({ agent, group }: AccessRequest): string => agent ?? group ?? t.common.none;

/** A text with an address, which breaks before its domain where it is too long for one line. */
const Breakable = ({ text }: { text: string }) => {
  const at = text.lastIndexOf('@');
  return at < 0 ? (
    <>{text}</>
  ) : (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
};

const StateCell = ({ of }: { of: AccessRequest }) => (
  <span class="two-lines">
    <span>
      <Badge tone={tones[of.state] ?? 'plain'}>{texts.states[of.state]}</Badge>
    </span>
    <span class="quiet wraps">
      {of.state === 'approved' && of.until !== undefined && (
        <>
          {texts.ends} <RelativeTime time={of.until} />{' '}
        </>
      )}
      {of.decided_by !== undefined && <Breakable text={texts.by(of.decided_by)} />}
    </span>
    {of.decision !== '' && (
      <span class="quiet wraps" dir="auto">
        {of.decision}
      </span>
    )}
  </span>
);

const columns: readonly Column<AccessRequest>[] = [
  {
    title: texts.who,
    id: 'who',
    sortBy: ({ email }) => email,
    render: ({ email, create_time }) => (
      <span class="two-lines">
        <span class="wraps">
          <Breakable text={email} />
        </span>
        <span class="quiet">
          {texts.asked} <RelativeTime time={create_time} />
        </span>
      </span>
    ),
  },
  {
    title: texts.what,
    id: 'what',
    sortBy: targetName,
    render: (request) => (
      <span class="two-lines">
        <span class="wraps">{texts.on(request.role, targetName(request))}</span>
        <span class="quiet">{texts.duration(readableDuration(request.minutes * 60))}</span>
      </span>
    ),
  },
  {
    title: texts.reason,
    id: 'reason',
    sortBy: ({ reason }) => reason,
    render: ({ reason, emergency }) => (
      <>
        {emergency && <Badge tone="bad">{texts.emergency}</Badge>} <span dir="auto">{reason}</span>
      </>
    ),
  },
  {
    title: texts.state,
    id: 'state',
    sortBy: ({ state }) => state,
    render: (request) => <StateCell of={request} />,
  },
  { title: '', width: '190px', render: (request) => <RequestActions of={request} /> },
];

const stateOptions = [
  { value: '', text: texts.all },
  ...Object.entries(texts.states).map(([value, text]) => ({ value, text })),
];

const isState = (value: string): value is AccessRequestState => value in texts.states;

function RequestList() {
  const given = query.value.get('state') ?? '';
  const state = isState(given) ? given : '';
  const requests = useKeepPrevious(useRequests(state));
  return (
    <>
      <div class="bar">
        <FilterSelect
          label={texts.filter}
          value={state}
          onChange={(value) => setQuery({ state: value })}
          options={stateOptions}
        />
      </div>
      <ResourceView resource={requests}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon="key" title={state === '' ? texts.none : texts.noneInState}>
              <p class="quiet">{texts.noneText}</p>
            </EmptyState>
          ) : (
            <DataTable
              label={texts.label}
              name="requests"
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </ResourceView>
    </>
  );
}

export const RequestsPage = () => (
  <PageLayout title={texts.title} lead={texts.lead}>
    <RequestList />
    {mayInTeam('team_user_admin') && <RequestSettings />}
  </PageLayout>
);
