/** The filter above the audit log; the query string holds its values. */
import { useState } from 'preact/hooks';
import { isEmailAddress } from '../history/filter.ts';
import { mayInTeam } from '../current-user.ts';
import { setQuery } from '../router.ts';
import { matchesSearch } from '../team/lists.ts';
import { findPeople } from '../team/people/find-people.ts';
import { auditSentences } from '../texts/audit-sentences.ts';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Combobox, type ComboboxOption } from '../ui/forms/combobox.tsx';
import { TextField } from '../ui/forms/form.tsx';
import { isAuditFiltered, type AuditFilter } from './audit-filter.ts';
import { actionText } from './audit-text.ts';

const texts = t.admin.audit;
const maxFound = 20;

/** A changed filter shows its first page. */
const setAuditFilter = (filter: Record<string, string>): void => setQuery({ ...filter, page: '' });

const asPerson = (email: string): ComboboxOption => ({ value: email, text: email });

const findActors = async (search: string): Promise<ComboboxOption[]> =>
  mayInTeam('team_user_admin') ? findPeople(search) : [];

const asOperation = (operation: string): ComboboxOption => ({
  value: operation,
  text: actionText(operation),
});
const operations = Object.keys(auditSentences).map(asOperation);

const findOperations = async (search: string): Promise<ComboboxOption[]> =>
  operations.filter(({ text, value }) => matchesSearch(`${text} ${value}`, search)).slice(0, maxFound);

const OperationCombobox = ({ operation }: { operation: string }) => (
  <Combobox
    label={texts.operation}
    placeholder={texts.anyOperation}
    chosen={operation === '' ? undefined : asOperation(operation)}
    find={findOperations}
    onChoose={(choice) => setAuditFilter({ operation: choice?.value ?? '' })}
  />
);

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
      find={findActors}
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
