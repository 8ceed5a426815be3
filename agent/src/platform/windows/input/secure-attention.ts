/** Ctrl+Alt+Del, which only Windows itself can press: a service may ask for it if a policy of the machine allows that. */
import { createMarkFile } from '../../marks/mark-file.ts';
import { openRegistry, type RegistryKey } from '../api/registry.ts';
import { ownUser, systemUser } from '../api/token-user.ts';
import type { WindowsApi } from '../api/windows-api.ts';

export interface SecureAttention {
  send(): void;
  /** Restores the policy at once. */
  close(): void;
}

const policy: RegistryKey = {
  root: 'machine',
  path: 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Policies\\System',
};
const valueName = 'SoftwareSASGeneration';
/** Bits of the value. Without a value, Windows refuses services. */
const services = 1;
const maxValue = 3;

export const policyMarkName = 'secure-attention-policy';

/** Holds the former value, so that an agent that was killed restores it at the next start. */
const mark = createMarkFile(policyMarkName);
const absent = 'absent';

/** Windows may read the policy a moment after the call. */
const restoreAfterMs = 1_000;

/** Only SYSTEM changes the policy, because only SYSTEM may press the keys. */
export function openSecureAttention(
  api: WindowsApi,
  isSystem = ownUser(api) === systemUser,
): SecureAttention {
  let timer: NodeJS.Timeout | undefined;
  const restore = (): void => {
    clearTimeout(timer);
    if (timer) restorePolicy(api);
    timer = undefined;
  };
  return {
    send() {
      if (isSystem) allowServices(api);
      api.SendSAS(0);
      clearTimeout(timer);
      if (isSystem) timer = setTimeout(restore, restoreAfterMs);
    },
    close: restore,
  };
}

function allowServices(api: WindowsApi): void {
  const registry = openRegistry(api);
  const former = registry.number(policy, valueName);
  if (((former ?? 0) & services) !== 0 || (former ?? 0) > maxValue) return;
  if (!remember(former)) return;
  if (!registry.setNumber(policy, valueName, (former ?? 0) | services)) mark.clear();
}

/** Before the change: an agent that is killed in between finds the mark, and a policy that is still the former one. */
function remember(former: number | undefined): boolean {
  try {
    mark.write(String(former ?? absent));
    return true;
  } catch {
    return false; // the disk is full: the keys are pressed under the policy that there is
  }
}

/** Does nothing if the agent has not changed the policy, or somebody else has changed it since. */
export function restorePolicy(api: WindowsApi): void {
  if (!mark.exists()) return;
  const registry = openRegistry(api);
  const text = mark.read();
  const former = text === absent ? undefined : Number(text);
  const isKnown = text === absent || /^[02]$/.test(text);
  if (isKnown && registry.number(policy, valueName) === ((former ?? 0) | services))
    registry.setNumber(policy, valueName, former);
  mark.clear();
}
