/** What a wrong clock of one node must not change: the leases of devices, and the links that this node opens. */
import { linkCode, postToSession, randomKey } from '../../kit/session/session-ends.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { exactly, type Figure } from './scenario.ts';
import { nodeClients } from './session-faults.ts';

/** Leases are 30 seconds long and extended every ten; none may be off by more than two. */
const leaseRange = { first: 18, last: 32 } as const;

/** Opens a link that another node may have made at the node whose clock is wrong. */
async function openAtFirst(cluster: FaultCluster): Promise<number> {
  const { owner } = cluster;
  const { id } = (await owner.call('support/create')).body['data'];
  const { url } = (await owner.call('support/connect', { connection_id: id })).body['data'];
  const request = { code: linkCode(url), key: randomKey() };
  return (await postToSession(nodeClients(cluster)[0]!, 'open', request)).http;
}

export async function clockFigures(cluster: FaultCluster): Promise<Figure[]> {
  const { first, last } = await cluster.leaseEnds();
  return [
    {
      name: 'leases end in',
      value: `${first.toFixed(1)} to ${last.toFixed(1)} s`,
      aim: `${leaseRange.first} to ${leaseRange.last} s`,
      reached: first >= leaseRange.first && last <= leaseRange.last,
    },
    exactly('status of a new link that is opened at the node', await openAtFirst(cluster), 200),
  ];
}
