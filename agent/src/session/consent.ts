/** Asking the person at the device before anything is shown. */
import type { Grant } from '@drawbridge/contract/session/signed';
import type { Platform } from '../platform/platform.ts';

export const consentSeconds = 30;

/** Undefined when the person agrees, else a sentence for the operator. */
export async function askConsent(
  grant: Asked,
  platform: Platform,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const desktop = await platform.desktop();
    try {
      const agreed = await desktop.ask(questionOf(grant), consentSeconds, signal);
      return agreed ? undefined : 'The person at the device did not agree.';
    } finally {
      desktop.close();
    }
  } catch (error) {
    return `Nobody at the device can be asked. ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Asked = Pick<Grant, 'operator' | 'permissions' | 'record'>;

const doings: readonly [permission: string, what: string][] = [
  ['agent_control', 'see and control this computer'],
  ['agent_connect', 'see the screen of this computer'],
  ['agent_terminal_mode', 'work in a terminal on this computer'],
  ['agent_file_transfer', 'see the files of this computer'],
];

function questionOf({ operator, permissions, record }: Asked): string {
  const [, what] = doings.find(([permission]) => permissions.includes(permission)) ?? [
    '',
    'connect to this computer',
  ];
  return `${operator.name} (${operator.address}) wants to ${what}${record ? '. The session is recorded' : ''}`;
}
