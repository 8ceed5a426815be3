/** The page with the directories that the account imports, and how their last imports ended. */
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { sortedByName } from '../lists.ts';
import { TeamPage } from '../team-page.tsx';
import { directoryHref, useDirectories, type Directory } from './directory-data.ts';
import { scheduleText } from './directory-draft.ts';
import { openNewDirectory } from './directory-form.tsx';
import { LastImport } from './directory-state.tsx';

const texts = t.directories;

const columns: readonly Column<Directory>[] = [
  {
    title: texts.name,
    id: 'name',
    sortBy: ({ name }) => name,
    render: ({ id, name }) => (
      <span class="cell-name">
        <a href={directoryHref(id)}>{name}</a>
      </span>
    ),
  },
  { title: texts.server, id: 'server', sortBy: ({ url }) => url, wideOnly: true, render: ({ url }) => url },
  {
    title: texts.last,
    id: 'last',
    sortBy: ({ last_time }) => last_time,
    render: (directory) => <LastImport of={directory} />,
  },
  {
    title: texts.schedule,
    id: 'schedule',
    sortBy: ({ every_minutes }) => every_minutes,
    wideOnly: true,
    render: scheduleText,
  },
];

const create = (
  <TextButton look="primary" icon="add" onClick={() => void openNewDirectory()}>
    {texts.create}
  </TextButton>
);

export function DirectoriesPage() {
  const directories = useDirectories();
  return (
    <TeamPage here="directories" actions={create}>
      <ResourceView resource={directories}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="people" title={texts.none}>
              <p class="quiet">{texts.noneText}</p>
            </EmptyState>
          ) : (
            <DataTable
              label={texts.label}
              name="directories"
              columns={columns}
              rows={sortedByName(all)}
              keyOf={({ id }) => id}
              onOpen={({ id }) => navigate(directoryHref(id))}
            />
          )
        }
      </ResourceView>
    </TeamPage>
  );
}
