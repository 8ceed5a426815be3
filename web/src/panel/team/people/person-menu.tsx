/** The menu of a person: actions on a member of the team. */
import { post } from '../../api.ts';
import type { MenuItem } from '../../../ui/menu.ts';
import { signedInUser } from '../../current-user.ts';
import { navigate, path } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { confirmAction } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt } from '../../ui/notices.ts';
import type { Person } from '../team-data.ts';
import { openGrantDialog } from '../grants/grant-dialog.tsx';
import { resendInvite } from './invite.tsx';
import { openResetDialog } from './reset.tsx';
import { isPersonPage } from './person-href.ts';
import { teamTabs } from '../team-page.tsx';

const texts = t.team.people;

async function remove(email: string): Promise<void> {
  const question = { title: texts.removeTitle(email), text: texts.removeText, yes: t.common.remove };
  if (!(await confirmAction(question))) return;
  const isDone = await attempt(() => post('v1/team/member/remove', { email }), texts.removed(email));
  if (isDone && isPersonPage(path.value)) navigate(teamTabs.people, { replace: true });
}

/** Only the owner may reset the owner's password. */
function itemsFor({ email, owner, state }: Person): MenuItem[][] {
  const isOther = email !== signedInUser.value.email;
  const give = { text: t.team.grants.give, choose: () => void openGrantDialog({ holder: { email } }) };
  const invite = { text: texts.inviteAgain, choose: () => void attempt(() => resendInvite(email)) };
  const reset = { text: texts.reset, choose: () => void openResetDialog(email) };
  if (owner) return isOther ? [] : [[reset]];
  const some = [give, state === 'active' ? reset : invite];
  return isOther ? [some, [{ text: texts.remove, choose: () => void remove(email) }]] : [some];
}

export const PersonMenu = ({ of }: { of: Person }) => {
  const parts = itemsFor(of).map((items) => ({ items }));
  return parts.length > 0 ? <Menu icon="more" title={texts.actions(of.email)} parts={() => parts} /> : null;
};
