/** Asks the person at the device for consent, before the session starts and for later requests such as calls. */
import type { Grant } from '@drawbridge/contract/session/signed';
import type { Desktop } from '../platform/desktop.ts';
import type { Platform } from '../platform/platform.ts';
import { shortenReason } from './plain-text.ts';
import type { Participants } from './participants.ts';

export const consentSeconds = 30;

/** Returns the desktop on which the person agreed, which the caller closes, or a sentence for the operator. */
export async function askConsent(
  grant: ConsentRequest,
  deps: ConsentDeps,
): Promise<{ agreedOn: Desktop } | { refused: string }> {
  try {
    const agreedOn = await askOn(deps, questionOf(grant), consentSeconds);
    return agreedOn ? { agreedOn } : { refused: 'The person at the device did not agree.' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { refused: `Nobody at the device can be asked. ${why}` };
  }
}

export interface ConsentDeps {
  platform: Platform;
  participants: Participants;
  signal: AbortSignal;
}

/** While the question is open, no connected operator can press the answer. It disappears when `cancelled` is aborted. */
export async function askPerson(
  deps: ConsentDeps,
  question: string,
  seconds: number,
  cancelled = deps.signal,
): Promise<boolean> {
  const signal = AbortSignal.any([deps.signal, cancelled]);
  const agreedOn = await askOn({ ...deps, signal }, question, seconds);
  agreedOn?.close();
  return agreedOn !== undefined;
}

const askOn = (
  { platform, participants, signal }: ConsentDeps,
  question: string,
  seconds: number,
): Promise<Desktop | undefined> =>
  participants.withInputBlocked(async () => {
    const desktop = await platform.desktop();
    let isAgreed = false;
    try {
      isAgreed = await desktop.ask(question, seconds, signal);
      return isAgreed ? desktop : undefined;
    } finally {
      if (!isAgreed) desktop.close();
    }
  });

type ConsentRequest = Pick<Grant, 'operator' | 'permissions' | 'record' | 'reason'>;

/** What the person should know before they agree, except for permissions with their own question, such as calls. */
const permissionTexts: readonly [permission: string, what: string][] = [
  ['agent_connect', 'see the screen of this computer'],
  ['agent_control', 'use its mouse and keyboard'],
  ['agent_terminal_mode', 'run commands on it'],
  ['agent_file_transfer', 'read and change its files'],
  ['agent_clipboard', 'read and change its clipboard'],
  ['agent_lock_input', 'black out its screen'],
  ['agent_reboot', 'restart it'],
];

function questionOf({ operator, permissions, record, reason }: ConsentRequest): string {
  const [first = 'connect to this computer', ...more] = permissionTexts
    .filter(([permission]) => permissions.includes(permission))
    .map(([, what]) => what);
  const last = more.pop();
  const what = [first, ...more].join(', ') + (last === undefined ? '' : ` and ${last}`);
  const why = reason ? `. Reason: ${shortenReason(reason)}` : '';
  const recorded = record ? '. The session is recorded' : '';
  return `${operator.name} (${operator.address}) wants to ${what}${why}${recorded}`;
}
