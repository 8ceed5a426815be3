/** The audit log: what was done and refused, newest first, and whether it is as it was written. */
import { get } from '../api.ts';
import { useResource, type Resource } from '../resource.ts';
import { query } from '../router.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Facts } from '../ui/layout.tsx';
import { Pager } from '../ui/pager.tsx';
import { Empty, Show } from '../ui/states.tsx';
import { Ago, Moment } from '../ui/time.tsx';
import { AdminPage, adminHref } from './admin-page.tsx';
import { AuditBar } from './audit-bar.tsx';
import { askedOf, filterOf, isFiltered, pageSize, type AuditFilter } from './audit-filter.ts';
import { aboutOf, deedOf, given, isDone, outcomeOf, type AuditLine } from './audit-line.ts';
import { Verification } from './verification.tsx';
import type { Answer } from '../api.ts';

const texts = t.admin.audit;

const Details = ({ of }: { of: AuditLine }) => {
  const facts = given(of.input);
  return (
    <div class="audit-details">
      <Facts
        facts={[
          [texts.facts.time, <Moment time={of.time} />],
          [texts.facts.who, texts.line(of.email)],
          [texts.facts.address, of.address || t.common.none],
          [texts.facts.operation, <code>{of.operation}</code>],
          [texts.facts.line, String(of.id)],
          [texts.facts.hash, <code>{of.hash}</code>],
        ]}
      />
      <div>
        <h2>{texts.facts.input}</h2>
        {facts.length === 0 ? <p class="quiet">{texts.noInput}</p> : <Facts facts={facts} />}
      </div>
    </div>
  );
};

const Line = ({ of }: { of: AuditLine }) => (
  <li>
    <details class="audit-line">
      <summary>
        <span class="audit-what">
          <strong>{texts.line(of.email)}:</strong> {deedOf(of)}
          {!['', of.email].includes(aboutOf(of)) && <span class="quiet"> ({aboutOf(of)})</span>}
        </span>
        <Badge tone={isDone(of) ? 'good' : 'bad'}>{outcomeOf(of)}</Badge>
        <span class="quiet audit-when">
          <Ago time={of.time} />
        </span>
      </summary>
      <Details of={of} />
    </details>
  </li>
);

function hrefOf(page: number): string {
  const next = new URLSearchParams(query.value);
  next.set('page', String(page));
  if (page === 1) next.delete('page');
  return `${adminHref('audit')}${next.size === 0 ? '' : `?${next.toString()}`}`;
}

interface LinesProps {
  filter: AuditFilter;
  of: Resource<Answer<'v1/audit/list'>>;
}

const Lines = ({ filter, of }: LinesProps) => (
  <Show of={of}>
    {({ total, data }) =>
      data.length === 0 ? (
        <Empty icon="search" title={isFiltered(filter) ? texts.noneFits : texts.none} />
      ) : (
        <>
          <ul class="audit" aria-label={texts.label}>
            {data.map((line) => (
              <Line key={line.id} of={line} />
            ))}
          </ul>
          <Pager total={total} size={pageSize} page={filter.page} hrefOf={hrefOf} />
        </>
      )
    }
  </Show>
);

export function Audit() {
  const filter = filterOf(query.value);
  const lines = useResource(
    JSON.stringify(filter),
    (asking) => get('v1/audit/list', askedOf(filter), asking),
    ['team', 'keys', 'account', 'groups'],
  );
  const refresh = (
    <Button icon="again" onClick={() => void lines.reload()}>
      {texts.refresh}
    </Button>
  );
  return (
    <AdminPage here="audit" lead={texts.lead} actions={refresh}>
      <Verification />
      <AuditBar filter={filter} />
      <Lines filter={filter} of={lines} />
    </AdminPage>
  );
}
