/** What a browser can do for an operator of what the grant allows, and a sentence for each thing it can not. */
import { sessionPermissions } from '@drawbridge/contract/session/frame-kinds';
import { texts } from './texts.ts';

export interface Abilities {
  permissions: string[];
  unable: Record<string, string>;
}

/** What the page has at this moment. */
export interface Means {
  isSharing: boolean;
  canShare: boolean;
  canTalk: boolean;
}

const { unable: words } = texts;

/** Why not; undefined when it can. */
const judges: Record<string, (means: Means) => string | undefined> = {
  agent_connect: ({ isSharing, canShare }) => {
    if (isSharing) return undefined;
    return canShare ? words.notShared : words.canNotShare;
  },
  agent_chat: () => undefined,
  agent_audio_calls: ({ canTalk }) => (canTalk ? undefined : words.canNotTalk),
  agent_app_install_request: () => undefined,
};

export function abilitiesOf(granted: readonly string[], means: Means): Abilities {
  const abilities: Abilities = { permissions: [], unable: {} };
  for (const permission of sessionPermissions.filter((each) => granted.includes(each))) {
    const judge = judges[permission];
    const reason = judge ? judge(means) : words.needsProgram;
    if (reason === undefined) abilities.permissions.push(permission);
    else abilities.unable[permission] = reason;
  }
  return abilities;
}
