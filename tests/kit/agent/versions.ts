/** Versions of the agent for tests of updates, and what the server says about the device that installs them. */
import { agentVersion } from '@drawbridge/agent/version';
import { loadOrCreateReleaseKey } from '../../../scripts/release/release-key.ts';
import { alterSingleFile } from './single-file.ts';
import { eventually } from '../eventually.ts';
import type { TestPerson } from '../server/account.ts';

/** Builds with a release key of the test: a newer version, and a newer one that does not find the server. */
export function buildsWith(
  key: string,
  { shortTrial, built }: { shortTrial: Record<string, string>; built?: () => Promise<string> },
) {
  const { publicKey: builtKey } = loadOrCreateReleaseKey();
  const alter = (version: string, changes: Record<string, string> = {}): Promise<Buffer> =>
    alterSingleFile(
      { [builtKey]: key, [`agentVersion="${agentVersion}"`]: `agentVersion="${version}"`, ...changes },
      built,
    );
  return {
    first: () => alter(agentVersion, shortTrial),
    newer: () => alter('0.8.0'),
    failing: () => alter('0.9.0', { '"/uplink"': '"/uplonk"' }),
  };
}

interface ListedUpdate {
  id: number;
  online: boolean;
  version: string;
  state: string;
  target: string;
  message: string;
}

const deviceIn = async (owner: TestPerson): Promise<ListedUpdate | undefined> =>
  (await owner.call('agents/updates/devices', {})).body['data'][0] as ListedUpdate | undefined;

/** Resolves when the only device of the account is online and fits. */
export const untilUpdate = (
  owner: TestPerson,
  fits: (device: ListedUpdate) => boolean,
): Promise<ListedUpdate | undefined> =>
  eventually(
    () => deviceIn(owner),
    (device) => device !== undefined && device.online && fits(device),
    300_000,
  );

/** Asks the device again whenever it has refused: it may take a moment until the operator is gone. */
export const askUntilUpdate = (
  owner: TestPerson,
  fits: (device: ListedUpdate) => boolean,
): Promise<ListedUpdate | undefined> =>
  untilUpdate(owner, (device) => {
    if (device.state === 'refused') void owner.call('agents/updates/resume', {});
    return fits(device);
  });
