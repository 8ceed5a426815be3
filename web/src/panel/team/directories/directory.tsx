/** The page of one directory: its imports and its settings. */
import { post } from '../../api.ts';
import type { PageProps } from '../../pages.ts';
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { TextButton } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/dialog.tsx';
import { Section } from '../../ui/layout.tsx';
import { attempt } from '../../ui/notices.ts';
import { EmptyState, ResourceView } from '../../ui/states.tsx';
import { InnerPage, teamTabs } from '../team-page.tsx';
import { useDirectories, type Directory } from './directory-data.ts';
import { DirectorySettingsForm } from './directory-form.tsx';
import { ImportSection } from './import-section.tsx';

const texts = t.directories;

async function remove({ id, name }: Directory): Promise<void> {
  const question = { title: texts.removeTitle(name), text: texts.removeText, yes: t.common.remove };
  if (!(await confirmAction(question))) return;
  const isDone = await attempt(() => post('v1/team/directory/remove', { id }), texts.removed);
  if (isDone) navigate(teamTabs.directories, { replace: true });
}

const RemoveButton = ({ directory }: { directory: Directory }) => (
  <TextButton icon="trash" onClick={() => void remove(directory)}>
    {t.common.remove}
  </TextButton>
);

export function DirectoryPage({ params }: PageProps) {
  const directories = useDirectories();
  const found = directories.value.value?.find(({ id }) => String(id) === params['id']);
  return (
    <InnerPage
      title={found?.name ?? texts.label}
      back="directories"
      actions={found && <RemoveButton directory={found} />}
    >
      <ResourceView resource={directories}>
        {() =>
          found ? (
            <>
              <ImportSection directory={found} />
              <Section title={texts.settings}>
                <DirectorySettingsForm directory={found} />
              </Section>
            </>
          ) : (
            <EmptyState icon="search" title={texts.gone} />
          )
        }
      </ResourceView>
    </InnerPage>
  );
}
