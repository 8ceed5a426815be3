/** Splits the permissions of a grant into those a browser supports and those it does not, with a reason for each. */
import { sessionPermissions } from '@drawbridge/contract/session/frame-kinds';
import { joinTexts } from './texts.ts';

export interface BrowserAbilities {
  permissions: string[];
  unable: Record<string, string>;
}

/** What the page can do at this moment. */
export interface BrowserCapabilities {
  isSharing: boolean;
  canShare: boolean;
  canTalk: boolean;
}

const { unable: texts } = joinTexts;

/** Each returns the reason why the browser cannot do it, or undefined if it can. */
const checks: Record<string, (capabilities: BrowserCapabilities) => string | undefined> = {
  agent_connect: ({ isSharing, canShare }) => {
    if (isSharing) return undefined;
    return canShare ? texts.notShared : texts.cannotShare;
  },
  agent_chat: () => undefined,
  agent_audio_calls: ({ canTalk }) => (canTalk ? undefined : texts.cannotTalk),
  agent_app_install_request: () => undefined,
};

export function toBrowserAbilities(
  granted: readonly string[],
  capabilities: BrowserCapabilities,
): BrowserAbilities {
  const abilities: BrowserAbilities = { permissions: [], unable: {} };
  for (const permission of sessionPermissions.filter((each) => granted.includes(each))) {
    const check = checks[permission];
    const reason = check ? check(capabilities) : texts.needsProgram;
    if (reason === undefined) abilities.permissions.push(permission);
    else abilities.unable[permission] = reason;
  }
  return abilities;
}
