/** What the kernel says of the network adapters, and who answers questions for names on them. */
import { networkInterfaces } from 'node:os';
import type { Hardware } from '@drawbridge/contract/hardware';
import { outputOf, textOf } from './system-files.ts';

type Adapter = Hardware['NetAdapters'][number];
export type AdapterDetails = Pick<Adapter, 'Addresses' | 'DNS' | 'MACAddress' | 'Speed' | 'WoL'>;

/** `root` is where the system's files begin. */
export async function adapterDetails(name: string, root = ''): Promise<AdapterDetails> {
  const folder = `${root}/sys/class/net/${name}`;
  const [speed, mac, wakeup, DNS] = await Promise.all([
    textOf(`${folder}/speed`),
    textOf(`${folder}/address`),
    textOf(`${folder}/device/power/wakeup`),
    nameServers(name, root),
  ]);
  return {
    Addresses: (networkInterfaces()[name] ?? []).map(({ address }) => address).join(', '),
    DNS,
    MACAddress: mac.toLowerCase(),
    // The kernel says -1, or nothing at all, where there is no cable or no such thing as a speed.
    Speed: Math.max(0, Number(speed) || 0),
    WoL: wakeup === 'enabled',
  };
}

/** Of the adapter itself where systemd-resolved knows; else those of the whole machine. */
async function nameServers(name: string, root: string): Promise<string> {
  const own = root === '' ? await outputOf('resolvectl', ['dns', name]) : undefined;
  const listed = /\):\s*(\S.*)$/m.exec(own ?? '')?.[1];
  if (listed !== undefined) return listed.trim().split(/\s+/).join(', ');
  const lines = await textOf(`${root}/etc/resolv.conf`);
  return [...lines.matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server).join(', ');
}
