/** The page with the audit log: actions that were done or refused, newest first, and its verification. */
import { get } from '../api.ts';
import { useKeepPrevious, useResource } from '../resource.ts';
import { type Resource } from '../resource-types.ts';
import { query } from '../router.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Badge, DescriptionList } from '../ui/layout.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { EmptyState, ResourceView } from '../ui/states.tsx';
import { RelativeTime, AbsoluteTime } from '../ui/time.tsx';
import { AdminPage } from './admin-page.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import {
  toAuditParams,
  toAuditFilter,
  isAuditFiltered,
  auditPageSize,
  type AuditFilter,
} from './audit-filter.ts';
import {
  subjectText,
  sentenceText,
  flattenInput,
  isDone,
  outcomeText,
  type AuditNames,
} from './audit-text.ts';
import { entityKey, entityHref, entitiesOf, type AuditListItem } from './audit-entities.ts';
import { loadAuditNames } from './audit-names.ts';
import { Verification } from './verification.tsx';
import type { OutputOf } from '../api.ts';

const texts = t.admin.audit;

const Details = ({ of, names }: { of: AuditListItem; names: AuditNames }) => {
  const facts = flattenInput(of.input);
  const known = entitiesOf(of).filter((entity) => names.entities.has(entityKey(entity)));
  return (
    <div class="audit-details">
      <DescriptionList
        items={[
          [texts.facts.time, <AbsoluteTime time={of.time} />],
          [texts.facts.who, of.email || texts.notSignedIn],
          [texts.facts.address, of.address || t.common.none],
          [texts.facts.operation, <code>{of.operation}</code>],
          [texts.facts.line, String(of.id)],
          [texts.facts.hash, <code>{of.hash}</code>],
        ]}
      />
      <div>
        <h2>{texts.facts.input}</h2>
        {known.map((entity) => (
          <p key={entityKey(entity)}>
            <a href={entityHref(entity)}>{names.entities.get(entityKey(entity))}</a>
          </p>
        ))}
        {facts.length === 0 ? <p class="quiet">{texts.noInput}</p> : <DescriptionList items={facts} />}
      </div>
    </div>
  );
};

const AuditItem = ({ of, names }: { of: AuditListItem; names: AuditNames }) => (
  <li>
    <details class="audit-line">
      <summary>
        <span class="audit-what">
          <strong>{subjectText(of, names.people)}</strong> {sentenceText(of, names)}
        </span>
        <Badge tone={isDone(of) ? 'good' : 'bad'}>{outcomeText(of)}</Badge>
        <span class="quiet audit-when">
          <RelativeTime time={of.time} />
        </span>
      </summary>
      <Details of={of} names={names} />
    </details>
  </li>
);

interface AuditListProps {
  filter: AuditFilter;
  of: Resource<OutputOf<'v1/audit/list'> & { names: AuditNames }>;
}

const AuditList = ({ filter, of }: AuditListProps) => (
  <ResourceView resource={of}>
    {({ total, data, names }) =>
      data.length === 0 ? (
        <EmptyState icon="search" title={isAuditFiltered(filter) ? texts.noneFits : texts.none} />
      ) : (
        <>
          <ul class="audit" aria-label={texts.label}>
            {data.map((line) => (
              <AuditItem key={line.id} of={line} names={names} />
            ))}
          </ul>
          <Pager total={total} size={auditPageSize} page={filter.page} />
        </>
      )
    }
  </ResourceView>
);

export function AuditPage() {
  const filter = toAuditFilter(query.value);
  const lines = useKeepPrevious(
    useResource(
      JSON.stringify(filter),
      async (options) => {
        const listed = await get('v1/audit/list', toAuditParams(filter), options);
        return { ...listed, names: await loadAuditNames(listed.data, options) };
      },
      ['team', 'keys', 'account', 'groups', 'support', 'sessions', 'me'],
    ),
  );
  const refresh = (
    <TextButton icon="again" onClick={() => void lines.reload()}>
      {texts.refresh}
    </TextButton>
  );
  return (
    <AdminPage here="audit" lead={texts.lead} actions={refresh}>
      <Verification />
      <AuditFilterBar filter={filter} />
      <AuditList filter={filter} of={lines} />
    </AdminPage>
  );
}
