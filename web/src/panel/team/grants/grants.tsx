/** The list of grants: holder, role and target, with a button to revoke each. */
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { TextButton, IconButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { DataTable } from '../../ui/tables/table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { type Column } from '../../ui/tables/column.ts';
import type { Resource } from '../../resource-types.ts';
import type { GrantEntry } from '../team-data.ts';
import { openGrantDialog } from './grant-dialog.tsx';
import { toGrantParams, type GrantPreset } from './grant-draft.ts';
import { entryKey, sortedEntries } from '../lists.ts';
import { personHref } from '../people/person-href.ts';
import { departmentHref, roleHref } from '../team-page.tsx';
import { targetText, holderText } from '../access/permission-texts.ts';

const texts = t.team.grants;

async function revokeGrant(entry: GrantEntry): Promise<void> {
  const text = texts.removeText(holderText(entry), entry.role, targetText(entry));
  if (!(await confirmAction({ title: texts.removeTitle, text, yes: texts.remove }))) return;
  const { email, department_id } = entry;
  const grant = toGrantParams(entry);
  await attempt(
    () =>
      email === undefined
        ? post('v1/team/department/access/remove', { department_id: department_id!, ...grant })
        : post('v1/team/member/access/remove', { email, ...grant }),
    texts.removed,
  );
}

const holderLink = (entry: GrantEntry) => (
  <a href={entry.email === undefined ? departmentHref(entry.department_id!) : personHref(entry.email)}>
    {holderText(entry)}
  </a>
);

/** The page leaves out the column that its title already names. */
type GrantColumn = 'whom' | 'role' | 'where';

const columnsFor = (omittedColumn: GrantColumn): Column<GrantEntry>[] => [
  ...(omittedColumn === 'whom'
    ? []
    : [{ title: texts.whom, id: 'whom', sortBy: holderText, render: holderLink }]),
  ...(omittedColumn === 'role'
    ? []
    : [
        {
          title: texts.role,
          id: 'role',
          sortBy: ({ role }: GrantEntry) => role,
          render: ({ role_id, role }: GrantEntry) => <a href={roleHref(role_id)}>{role}</a>,
        },
      ]),
  ...(omittedColumn === 'where'
    ? []
    : [{ title: texts.where, id: 'where', sortBy: targetText, render: targetText }]),
  {
    title: texts.until,
    id: 'until',
    width: '130px',
    sortBy: ({ until }) => until ?? Infinity,
    render: ({ until }) => (until === undefined ? t.common.none : <RelativeTime time={until} />),
  },
  {
    title: '',
    width: '44px',
    render: (entry) => (
      <span class="cell-end">
        <IconButton
          icon="trash"
          title={`${texts.remove}: ${holderText(entry)}, ${entry.role}, ${targetText(entry)}`}
          onClick={() => void revokeGrant(entry)}
        />
      </span>
    ),
  },
];

interface GrantsSectionProps {
  title: string;
  lead?: string;
  none: string;
  omittedColumn: GrantColumn;
  entries: Resource<GrantEntry[]>;
  /** The values that the grant dialog starts with. */
  preset: GrantPreset;
}

export const GrantsSection = ({ title, lead, none, omittedColumn, entries, preset }: GrantsSectionProps) => (
  <Section
    title={title}
    lead={lead}
    actions={
      <TextButton icon="add" onClick={() => void openGrantDialog(preset)}>
        {texts.give}
      </TextButton>
    }
  >
    <ResourceView resource={entries}>
      {(all) => {
        const shown = sortedEntries(all);
        return shown.length === 0 ? (
          <p class="quiet">{none}</p>
        ) : (
          <DataTable
            label={title}
            name="grants"
            columns={columnsFor(omittedColumn)}
            rows={shown}
            keyOf={entryKey}
          />
        );
      }}
    </ResourceView>
  </Section>
);
