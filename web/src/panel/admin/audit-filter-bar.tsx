/** The filter above the audit log; the query string holds its values. */
import { useState } from 'preact/hooks';
import { get } from '../api.ts';
import { isEmailAddress } from '../history/filter.ts';
import { mayInTeam } from '../current-user.ts';
import { useResource } from '../resource.ts';
import { setQuery } from '../router.ts';
import { matchesSearch } from '../team/lists.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Combobox, type ComboboxOption } from '../ui/forms/combobox.tsx';
import { TextField } from '../ui/forms/form.tsx';
import { isAuditFiltered, type AuditFilter } from './audit-filter.ts';
import { actionText, panelOperationPrefix } from './audit-text.ts';

const texts = t.admin.audit;
const maxFound = 20;

/** A changed filter shows its first page. */
const setAuditFilter = (filter: Record<string, string>): void => setQuery({ ...filter, page: '' });

const asPerson = (email: string): ComboboxOption => ({ value: email, text: email });

async function findPeople(search: string, signal: AbortSignal): Promise<ComboboxOption[]> {
  if (!mayInTeam('team_user_admin')) return [];
  const { data } = await get('v1/team/member/list', { search, limit: maxFound }, { signal });
  return data.map(({ email }) => asPerson(email));
}

/** The OpenAPI document describes every operation; it is loaded on first use. */
let known: Promise<ComboboxOption[]> | undefined;

async function loadOperations(): Promise<ComboboxOption[]> {
  const response = await fetch('/docs/openapi.json');
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, { summary: string }>> };
  const ofApi = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.values(byMethod).map(({ summary }) => asOperation(path.replace(/^\/v1\//, ''), summary)),
  );
  const ofPanel = Object.keys(texts.panelActions).map((id) => asOperation(panelOperationPrefix + id));
  return [...ofPanel, ...Object.keys(texts.onServer).map((id) => asOperation(id)), ...ofApi];
}

const asOperation = (operation: string, says = ''): ComboboxOption => ({
  value: operation,
  text: actionText({ operation, says }),
});

function knownOperations(): Promise<ComboboxOption[]> {
  known ??= loadOperations();
  known.catch(() => (known = undefined));
  return known;
}

async function findOperations(search: string): Promise<ComboboxOption[]> {
  return (await knownOperations())
    .filter(({ text, value }) => matchesSearch(`${text} ${value}`, search))
    .slice(0, maxFound);
}

function OperationCombobox({ operation }: { operation: string }) {
  const isChosen = operation !== '';
  const { value } = useResource(`operations ${isChosen}`, async () => (isChosen ? knownOperations() : []));
  const chosen = value.value?.find((each) => each.value === operation) ?? asOperation(operation);
  return (
    <Combobox
      label={texts.operation}
      placeholder={texts.anyOperation}
      chosen={isChosen ? chosen : undefined}
      find={findOperations}
      onChoose={(choice) => setAuditFilter({ operation: choice?.value ?? '' })}
    />
  );
}

/** On a narrow screen a button opens the filter, so that the log is visible without scrolling. */
export function AuditFilterBar({ filter }: { filter: AuditFilter }) {
  const [isOpen, setOpen] = useState(isAuditFiltered(filter));
  return (
    <>
      {!isOpen && (
        <div class="audit-filter-opener">
          <TextButton icon="filter" onClick={() => setOpen(true)}>
            {texts.filter}
          </TextButton>
        </div>
      )}
      <Fields filter={filter} look={isOpen ? 'open' : ''} />
    </>
  );
}

const Fields = ({ filter, look }: { filter: AuditFilter; look: string }) => (
  <search class={`section audit-filter ${look}`} aria-label={texts.filter}>
    <OperationCombobox operation={filter.operation} />
    <Combobox
      label={texts.person}
      placeholder={texts.anyPerson}
      chosen={filter.person === '' ? undefined : asPerson(filter.person)}
      find={findPeople}
      asTyped={(text) => (isEmailAddress(text) ? asPerson(text) : undefined)}
      onChoose={(choice) => setAuditFilter({ person: choice?.value ?? '' })}
    />
    <TextField
      label={texts.from}
      name="from"
      type="date"
      value={filter.from}
      onInput={(from) => setAuditFilter({ from })}
    />
    <TextField
      label={texts.to}
      name="to"
      type="date"
      value={filter.to}
      onInput={(to) => setAuditFilter({ to })}
    />
    {isAuditFiltered(filter) && (
      <div class="filter-end">
        <TextButton
          look="plain"
          onClick={() => setAuditFilter({ operation: '', person: '', from: '', to: '' })}
        >
          {texts.reset}
        </TextButton>
      </div>
    )}
  </search>
);
