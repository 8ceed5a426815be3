/** Actions on a role. */
import { get, post } from '../../api.ts';
import { navigate, path } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { confirmAction } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt } from '../../ui/notices.ts';
import type { NamedItem, TeamRole } from '../team-data.ts';
import { openGrantDialog } from '../grants/grant-dialog.tsx';
import { openNewRole, openRoleForm } from './role-form.tsx';
import { roleHref, teamTabs } from '../team-page.tsx';

const texts = t.team.roles;

/** The list contains no descriptions, so the role is loaded. */
const loadRole = async (id: number) => (await get('v1/team/role/info', { id })).data;

export const editRole = (id: number): Promise<boolean> =>
  attempt(async () => openRoleForm(id, await loadRole(id)));

const copyRole = (id: number): Promise<boolean> =>
  attempt(async () => {
    const { name, ...rest } = await loadRole(id);
    await openNewRole({ ...rest, name: texts.copyName(name) });
  });

async function removeRole({ id, name }: NamedItem, grants: number): Promise<void> {
  const question = { title: texts.removeTitle(name), text: texts.removeText(grants), yes: t.common.remove };
  if (!(await confirmAction(question))) return;
  const isDone = await attempt(() => post('v1/team/role/remove', { id }), texts.removed);
  if (isDone && path.value === roleHref(id)) navigate(teamTabs.roles, { replace: true });
}

export const RoleMenu = ({ of, grants }: { of: Omit<TeamRole, 'grants'>; grants: number }) => (
  <Menu
    icon="more"
    title={texts.actions(of.name)}
    parts={() => [
      {
        items: [
          { text: texts.give, choose: () => void openGrantDialog({ role: of }) },
          ...(of.default ? [] : [{ text: t.common.edit, choose: () => void editRole(of.id) }]),
          { text: texts.copy, choose: () => void copyRole(of.id) },
        ],
      },
      ...(of.default
        ? []
        : [{ items: [{ text: t.common.remove, choose: () => void removeRole(of, grants) }] }]),
    ]}
  />
);
