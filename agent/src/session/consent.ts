/** Asking the person at the device, before anything is shown and whenever more is wanted. */
import type { Grant } from '@drawbridge/contract/session/signed';
import type { Platform } from '../platform/platform.ts';
import type { Crowd } from './crowd.ts';

export const consentSeconds = 30;

/** Undefined when the person agrees, else a sentence for the operator. */
export async function askConsent(
  grant: Asked,
  { platform, crowd, signal }: Asking,
): Promise<string | undefined> {
  try {
    const agreed = await askPerson({ platform, crowd, signal }, questionOf(grant), consentSeconds);
    return agreed ? undefined : 'The person at the device did not agree.';
  } catch (error) {
    return `Nobody at the device can be asked. ${error instanceof Error ? error.message : String(error)}`;
  }
}

export interface Asking {
  platform: Platform;
  crowd: Crowd;
  signal: AbortSignal;
}

/** While the question is on the screen nobody who is connected already can press the answer. */
export async function askPerson(
  { platform, crowd, signal }: Asking,
  question: string,
  seconds: number,
): Promise<boolean> {
  const desktop = await platform.desktop();
  const speak = crowd.hush();
  try {
    return await desktop.ask(question, seconds, signal);
  } finally {
    speak();
    desktop.close();
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
