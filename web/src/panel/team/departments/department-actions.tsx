/** Creates, renames and removes departments. */
import { post } from '../../api.ts';
import { navigate, path } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { confirmAction } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt } from '../../ui/notices.ts';
import { openGrantDialog } from '../grants/grant-dialog.tsx';
import { openNameDialog } from '../name-dialog.tsx';
import { departmentHref, teamTabs } from '../team-page.tsx';

const texts = t.team.departments;

export const openNewDepartment = (): Promise<void> =>
  openNameDialog({
    title: texts.createTitle,
    label: texts.name,
    hint: texts.nameHint,
    submit: t.common.create,
    save: async (name) => {
      const { id } = await post('v1/team/department/create', { name });
      navigate(departmentHref(id));
    },
  });

interface Affected {
  id: number;
  name: string;
  /** The number of people in it. */
  size: number;
  /** The number of roles granted to it. */
  grants: number;
}

const rename = ({ id, name }: Affected): Promise<void> =>
  openNameDialog({
    title: texts.renameTitle,
    label: texts.name,
    submit: t.common.save,
    name,
    save: (changed) => post('v1/team/department/update', { id, name: changed }),
  });

async function remove({ id, name, size, grants }: Affected): Promise<void> {
  const question = {
    title: texts.removeTitle(name),
    text: texts.removeText(size, grants),
    yes: t.common.remove,
  };
  if (!(await confirmAction(question))) return;
  const isDone = await attempt(() => post('v1/team/department/remove', { id }), texts.removed);
  if (isDone && path.value === departmentHref(id)) navigate(teamTabs.departments, { replace: true });
}

export const DepartmentMenu = ({ of }: { of: Affected }) => (
  <Menu
    icon="more"
    title={texts.actions(of.name)}
    parts={() => [
      {
        items: [
          {
            text: t.team.grants.give,
            choose: () => void openGrantDialog({ holder: { department_id: of.id, department: of.name } }),
          },
          { text: t.common.rename, choose: () => void rename(of) },
        ],
      },
      { items: [{ text: t.common.remove, choose: () => void remove(of) }] },
    ]}
  />
);
