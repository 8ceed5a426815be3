/** Connects the agent, which runs as SYSTEM, with a process of the signed-in person, for as long as that person is signed in. */
import type { AcquirePerson, PersonConnection } from '../../helper/person-connection.ts';
import { createRemoteObjects, mainObject } from '../../helper/remote-objects.ts';
import { passedSettings } from '../../helper/serve-person.ts';
import { refCounted, type SharedRef } from '../../helper/ref-counted.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { startHelperProcess } from '../helper-process.ts';
import { readPersonKey, withPerson, type SignedInPerson } from './signed-in-person.ts';

/** The hidden command of the agent that opens files and shells. */
const helperCommand = 'person-helper';
/** The process stays for a while, because operators often continue. */
const idleMs = 30_000;
const watchMs = 1_000;
const startTimeoutMs = 30_000;

const sentences = {
  ended: 'The process that the agent runs for the person at the device has ended. Try again.',
  signedOut: 'The person at the device has signed out.',
  other: 'Another person has signed in at the device.',
  silent: 'The process that the agent runs for the person at the device does not answer.',
} as const;

/** One process for each sign-in. */
export function createPersonAcquirer(api: WindowsApi): AcquirePerson {
  const processes = new Map<string, () => Promise<SharedRef<PersonConnection>>>();
  const forPerson = (person: SignedInPerson): Promise<SharedRef<PersonConnection>> => {
    const { key } = person;
    const acquire = processes.get(key) ?? refCounted(() => withPerson(api, (now) => connect(api, now)));
    // Those of earlier sign-ins have ended.
    processes.clear();
    processes.set(key, acquire);
    return acquire();
  };
  return async () => {
    const { value, release } = await withPerson(api, forPerson);
    return { value, release: () => void setTimeout(release, idleMs).unref() };
  };
}

async function connect(api: WindowsApi, { key, token }: SignedInPerson): Promise<PersonConnection> {
  const channel = await startHelperProcess(api, { command: helperCommand, token, desktop: 'default' });
  let reason: string = sentences.ended;
  const objects = createRemoteObjects(channel, { closed: () => reason, silent: sentences.silent });
  const watch = setInterval(() => {
    const now = readKey(api);
    if (now === key) return;
    reason = now === undefined ? sentences.signedOut : sentences.other;
    channel.close();
  }, watchMs).unref();
  channel.onClose(() => clearInterval(watch));
  const settings = Object.fromEntries(passedSettings.map((name) => [name, process.env[name]]));
  await objects
    .call(mainObject, 'configure', [settings], { timeoutMs: startTimeoutMs })
    .catch((error: unknown) => {
      channel.close();
      throw error;
    });
  return { objects, whyClosed: () => reason, onClose: channel.onClose, close: channel.close };
}

/** It is unknown for a moment who is signed in while Windows changes the session. */
function readKey(api: WindowsApi): string | undefined {
  try {
    return readPersonKey(api);
  } catch {
    return undefined;
  }
}
