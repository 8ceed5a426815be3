/** What a relay that runs alone offers to Prometheus besides what every process does. */
import type { RemoteRelay } from '@drawbridge/relay/control/remote-relay';

export function relayMetrics(relay: Pick<RemoteRelay, 'stats' | 'servers'>): string {
  const { sessions, waiting, bytes, refused } = relay.stats();
  const lines: [string, string, string, number][] = [
    ['drawbridge_relay_sessions', 'gauge', 'Sessions that this relay carries.', sessions],
    ['drawbridge_relay_waiting', 'gauge', 'Sides of sessions that wait for the other.', waiting],
    [
      'drawbridge_relay_servers',
      'gauge',
      'Servers, or nodes of them, that control this relay.',
      relay.servers(),
    ],
    ['drawbridge_relay_bytes_total', 'counter', 'Bytes forwarded in sessions that have ended.', bytes],
    ['drawbridge_relay_refused_total', 'counter', 'Tickets that were not accepted.', refused],
  ];
  return lines
    .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join('');
}
