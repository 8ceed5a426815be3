/** Details of the network adapters from the kernel, and their name servers. */
import { networkInterfaces } from 'node:os';
import type { Hardware } from '@drawbridge/contract/hardware';
import { outputOf, textOf } from './system-files.ts';

type Adapter = Hardware['NetAdapters'][number];
export type AdapterDetails = Pick<Adapter, 'Addresses' | 'DNS' | 'MACAddress' | 'Speed' | 'WoL'>;

/** `root` is the folder that contains the system's files. */
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
    // The kernel reports -1 or nothing if there is no cable or no defined speed.
    Speed: Math.max(0, Number(speed) || 0),
    WoL: wakeup === 'enabled',
  };
}

/** The name servers of the adapter if systemd-resolved knows them, otherwise those of the machine. */
async function nameServers(name: string, root: string): Promise<string> {
  const own = root === '' ? await outputOf('resolvectl', ['dns', name]) : undefined;
  const listed = /\):\s*(\S.*)$/m.exec(own ?? '')?.[1];
  if (listed !== undefined) return listed.trim().split(/\s+/).join(', ');
  const lines = await textOf(`${root}/etc/resolv.conf`);
  return [...lines.matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server).join(', ');
}
