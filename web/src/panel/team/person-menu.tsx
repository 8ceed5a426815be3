/** What can be done with a person of the team. */
import { post } from '../api.ts';
import { person } from '../me.ts';
import { go, path } from '../router.ts';
import { t } from '../texts/index.ts';
import { askFirst } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { attempt } from '../ui/notices.ts';
import type { Person } from './data.ts';
import { openGiveAccess } from './give-access.tsx';
import { inviteAgain } from './invite.tsx';
import { openReset } from './reset.tsx';
import { isPersonPage } from './person-address.ts';
import { teamTabs } from './team-page.tsx';

const texts = t.team.people;

async function remove(email: string): Promise<void> {
  const question = { title: texts.removeTitle(email), text: texts.removeText, yes: t.common.remove };
  if (!(await askFirst(question))) return;
  const isDone = await attempt(() => post('v1/team/member/remove', { email }), texts.removed(email));
  if (isDone && isPersonPage(path.value)) go(teamTabs.people, { replace: true });
}

export const PersonMenu = ({ of: { email, owner, state } }: { of: Person }) => {
  const isOther = email !== person.value.email;
  const way =
    state === 'invited'
      ? { text: texts.inviteAgain, choose: () => void attempt(() => inviteAgain(email)) }
      : { text: texts.reset, choose: () => void openReset(email) };
  return (
    <Menu
      icon="more"
      title={texts.actions(email)}
      parts={() => [
        {
          items: [
            ...(owner
              ? []
              : [{ text: t.team.grants.give, choose: () => void openGiveAccess({ holder: { email } }) }]),
            way,
          ],
        },
        ...(isOther && !owner ? [{ items: [{ text: texts.remove, choose: () => void remove(email) }] }] : []),
      ]}
    />
  );
};
