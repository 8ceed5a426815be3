/** Checks that each relay in another region answers, has its key, knows this server, and fits in version, clock and certificate. */
import { createControlClient } from '@drawbridge/relay/control/control-client';
import type { Config } from '../../config/config.ts';
import { serverVersion } from '../../edges/version.ts';
import { loadIdentity } from '../../gateway/devices/identity.ts';
import type { Finding } from '../../store/engine/database.ts';
import { isFailure, type ProcessContext } from '../command.ts';
import { withStore } from '../store-access.ts';
import { ok, problem, warning } from './finding.ts';

type RelayEntry = Config['relays'][number];
type Identity = Awaited<ReturnType<typeof loadIdentity>>;

interface RelayReport {
  version: string | undefined;
  /** How many seconds its clock is ahead of this one. */
  aheadSeconds: number;
  isTrusted: boolean;
}

/** A relay knows servers by key and node: this name keeps the connection of the running server. */
const node = 'doctor';
/** Tickets are valid for a minute, and both sides need some of it. */
const clockLimits = { warning: 5, problem: 30 };

export async function relayChecks(
  { relays, publicUrl }: Config,
  context: ProcessContext,
): Promise<Finding[]> {
  if (relays.length === 0) return [];
  const identity = await withStore(context, loadIdentity);
  if (isFailure(identity))
    return [warning('relays', 'They were not checked, because the key of this server cannot be read.')];
  return (await Promise.all(relays.map((relay) => checkRelay(relay, identity, publicUrl)))).flat();
}

async function checkRelay(relay: RelayEntry, identity: Identity, publicUrl: string): Promise<Finding[]> {
  const name = `relay ${relay.name}`;
  const report = await askRelay(relay, identity, publicUrl);
  if (typeof report === 'string') return [problem(name, `${relay.url}: ${report}. ${adviceFor(report)}`)];
  return [
    ok(name, `${relay.url} has its key and knows this server.`),
    ...[versionOf(name, report), clockOf(name, report), certificateOf(name, report)].filter(
      (finding) => finding !== undefined,
    ),
  ];
}

/** What the relay says about itself, or why it says nothing. */
function askRelay(
  { url, key: relayKey }: RelayEntry,
  server: Identity,
  origin: string,
): Promise<RelayReport | string> {
  const { promise, resolve } = Promise.withResolvers<RelayReport | string>();
  const client = createControlClient({
    url,
    relayKey,
    server,
    node,
    introduce: () => ({ origin, pairs: [] }),
    onMessage(message, isTrusted) {
      if (message.kind !== 'welcome') return;
      const here = Math.floor(Date.now() / 1_000);
      const { version, now = here } = message;
      resolve({ version, aheadSeconds: now - here, isTrusted });
    },
    onDown: resolve,
  });
  return promise.finally(() => client.close());
}

function adviceFor(why: string): string {
  if (/key of this server/.test(why))
    return 'Add what drawbridge relay key prints to DRAWBRIDGE_RELAY_SERVERS of the relay.';
  if (/key in the settings/.test(why))
    return 'Set DRAWBRIDGE_RELAYS to the key that the relay prints when it starts, and check that no proxy terminates its TLS.';
  return 'Check that it runs, and that this machine reaches its address.';
}

const versionOf = (name: string, { version }: RelayReport): Finding | undefined =>
  version === serverVersion
    ? undefined
    : warning(
        name,
        `It runs Drawbridge ${version ?? 'of an older version'}, and this is ${serverVersion}: upgrade the older one.`,
      );

function clockOf(name: string, { aheadSeconds }: RelayReport): Finding | undefined {
  const seconds = Math.abs(aheadSeconds);
  if (seconds <= clockLimits.warning) return undefined;
  const says = `Its clock is ${seconds} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} this one: synchronize both with a time server.`;
  return seconds > clockLimits.problem ? problem(name, says) : warning(name, says);
}

const certificateOf = (name: string, { isTrusted }: RelayReport): Finding | undefined =>
  isTrusted
    ? undefined
    : warning(
        name,
        'No authority that this machine trusts has signed its certificate: browsers and devices that do not trust it either use the relay of the server.',
      );
