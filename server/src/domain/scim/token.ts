/** Whether the creator of a provisioning token still has the rights with which it acts. */
import { mayTeam, type Actor } from '../people/access.ts';

type CreatorProblem = 'creator_disabled' | 'creator_without_right';

/** `creator`: undefined if they are disabled. */
export function findCreatorProblem(creator: Actor | undefined): CreatorProblem | undefined {
  if (!creator) return 'creator_disabled';
  return mayTeam(creator, 'team_user_admin') ? undefined : 'creator_without_right';
}

/** For the identity provider, which need not know who the creator is. */
export const creatorProblemTexts: Readonly<Record<CreatorProblem, string>> = {
  creator_disabled:
    'The person who created this token is disabled. Somebody else has to create a new token in Drawbridge.',
  creator_without_right:
    'The person who created this token may no longer manage people. Somebody who may has to create a new token in Drawbridge.',
};
