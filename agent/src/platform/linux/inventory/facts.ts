/** The short facts of a Linux machine, read from the kernel's own files. */
import { hostname, userInfo } from 'node:os';
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import { addressesOf } from '../../inventory/addresses.ts';
import { namesIn, outputOf, textOf } from './system-files.ts';

export async function readFacts(): Promise<Omit<Facts, 'version' | 'installed'>> {
  const [os_user, rdp, hibernate, power_supply] = await Promise.all([
    loggedInUser(),
    hasRdp(),
    canSleep(),
    onMains(),
  ]);
  return { name: hostname(), os: 'linux', os_user, rdp, hibernate, power_supply, addresses: addressesOf() };
}

export async function readFingerprint(): Promise<Fingerprint> {
  const [machine_id, serial] = await Promise.all([
    textOf('/etc/machine-id'),
    textOf('/sys/class/dmi/id/product_serial'),
  ]);
  return { machine_id, serial, macs: await hardwareMacs() };
}

/** The user who is logged in at the machine, otherwise the user that the agent runs as. */
async function loggedInUser(): Promise<string> {
  const sessions = await outputOf('who', []);
  return sessions?.split('\n')[0]?.split(/\s+/)[0] || userInfo().username;
}

const rdpPort = 3_389;
const listening = '0A';

/** Whether a program listens on the RDP port, according to the kernel's socket table. */
async function hasRdp(): Promise<boolean> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(textOf));
  const port = rdpPort.toString(16).toUpperCase().padStart(4, '0');
  return tables.some((table) =>
    table.split('\n').some((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/);
      return state === listening && local.endsWith(`:${port}`);
    }),
  );
}

const canSleep = async (): Promise<boolean> => /\b(mem|disk)\b/.test(await textOf('/sys/power/state'));

/** True unless there is a battery and no connected charger. */
async function onMains(): Promise<boolean> {
  const supplies = await Promise.all(
    (await namesIn('/sys/class/power_supply')).map(async (name) => ({
      type: await textOf(`/sys/class/power_supply/${name}/type`),
      online: await textOf(`/sys/class/power_supply/${name}/online`),
    })),
  );
  const hasBattery = supplies.some(({ type }) => type === 'Battery');
  return !hasBattery || supplies.some(({ type, online }) => type !== 'Battery' && online === '1');
}

/** MAC addresses of physical adapters only, because those of bridges and tunnels change at every start. */
async function hardwareMacs(): Promise<string[]> {
  const names = await namesIn('/sys/class/net');
  const macs = await Promise.all(
    names.map(async (name) => {
      const real = (await namesIn(`/sys/class/net/${name}/device`)).length > 0;
      return real ? (await textOf(`/sys/class/net/${name}/address`)).toLowerCase() : '';
    }),
  );
  return [...new Set(macs)].filter(
    (mac) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && mac !== '00:00:00:00:00:00',
  );
}
