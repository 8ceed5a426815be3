/** Runs thousands of simulated devices against a server, with the real protocol, in a few processes. */
import { fork, type ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { NotPossible } from '../platform/platform.ts';
import { simulateShard, type ShardCounts, type Shard } from './process.ts';
import { isScript, scripts } from './scripts.ts';
import { readGivenTrust, withCaVariable } from '../uplink/given-trust.ts';

const help = `drawbridge simulate --server URL --token TOKEN --agents N [options]

  --script NAME     ${Object.entries(scripts)
    .map(([name, { says }]) => `${name}: ${says}`)
    .join('\n                    ')}
  --processes N     number of processes that share the devices (default 2)
  --ramp SECONDS    time over which the devices connect (default 10)
  --at-once N       number of devices that each process connects at once (default 250): a real device has a
                    processor of its own; these share one, and those that have to wait too long time out
  --seconds N       stop after this time (default: run until Ctrl-C)
  --ca FILE         trust the certificates in this file (or DRAWBRIDGE_CA)
  --fingerprint SHA256
                    trust the certificate with this fingerprint instead of the one in the token
  --json            print one JSON object per line instead of text

The token needs as many uses as there are devices. Every run creates new devices.`;

async function simulate(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      server: { type: 'string' },
      token: { type: 'string' },
      agents: { type: 'string', default: '100' },
      script: { type: 'string', default: 'steady' },
      processes: { type: 'string', default: '2' },
      ramp: { type: 'string', default: '10' },
      'at-once': { type: 'string', default: '250' },
      seconds: { type: 'string' },
      ca: { type: 'string' },
      fingerprint: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { server, token, script } = values;
  if (values.help || server === undefined || token === undefined) {
    console[values.help ? 'log' : 'error'](help);
    return values.help ? 0 : 2;
  }
  if (!isScript(script)) throw new NotPossible(`--script must be one of ${Object.keys(scripts).join(', ')}`);
  if (!parseEnrolmentToken(token)) throw new NotPossible('--token is not an enrolment token');
  const [agents, processes, atOnce] = [
    parseCount('agents', values.agents, 1_000_000),
    parseCount('processes', values.processes, 64),
    parseCount('at-once', values['at-once'], 1_000_000),
  ];
  const trust = readGivenTrust(withCaVariable(values, process.env));
  const shards = Array.from({ length: processes }, (_, index): Shard => {
    const first = Math.floor((index * agents) / processes);
    const count = Math.floor(((index + 1) * agents) / processes) - first;
    const ramp = Number(values.ramp);
    return { server: new URL(server).origin, token, trust, script, first, count, ramp, atOnce };
  });
  return runShards(shards, values.json, values.seconds === undefined ? undefined : Number(values.seconds));
}

function parseCount(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new NotPossible(`--${name} must be a whole number from 1 to ${max}`);
  return value;
}

/** Runs one process for each shard, and reports the state of the fleet every second. */
async function runShards(
  shards: readonly Shard[],
  json: boolean,
  seconds: number | undefined,
): Promise<number> {
  const fleet: Fleet = { counts: new Map(), startedAt: performance.now(), json };
  const agents = shards.reduce((total, { count }) => total + count, 0);
  const children = shards.map((shard) => startShard(fleet, shard, agents));
  const timer = setInterval(report, 1_000, fleet);
  const stop = (): void => children.forEach((child) => child.connected && child.disconnect());
  // Nobody reads the output any more.
  process.stdout.on('error', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  if (seconds !== undefined) setTimeout(stop, seconds * 1_000);
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  clearInterval(timer);
  report(fleet);
  return 0;
}

interface Fleet {
  counts: Map<ChildProcess, ShardCounts>;
  startedAt: number;
  json: boolean;
}

const sumOf = ({ counts }: Fleet, name: keyof ShardCounts): number =>
  [...counts.values()].reduce((total, each) => total + each[name], 0);

/** `agents`: the number of devices of all shards. */
function startShard(fleet: Fleet, shard: Shard, agents: number): ChildProcess {
  const child = fork(process.argv[1]!, ['simulate-share'], { execArgv: process.execArgv });
  child.send(shard);
  child.on('message', (message) => {
    const before = sumOf(fleet, 'online');
    fleet.counts.set(child, message as ShardCounts);
    // Reported at once when all devices are online, because a script may wait for it.
    if (before < agents && sumOf(fleet, 'online') === agents) report(fleet);
  });
  return child;
}

function report(fleet: Fleet): void {
  const seconds = Math.round((performance.now() - fleet.startedAt) / 100) / 10;
  const [online, refused, arrivals] = [
    sumOf(fleet, 'online'),
    sumOf(fleet, 'refused'),
    sumOf(fleet, 'arrivals'),
  ];
  console.log(
    fleet.json
      ? JSON.stringify({ seconds, online, refused, arrivals })
      : `${seconds.toFixed(1)} s: ${online} online, ${refused} refused, ${arrivals} arrivals`,
  );
}

/** How long the devices of a process may take to disconnect. */
const closeTimeoutMs = 5_000;

/** Runs the shard that the parent process sends, and ends when the parent is gone. */
function runShard(): void {
  const end = new AbortController();
  process.once('disconnect', () => {
    end.abort();
    setTimeout(() => process.exit(0), closeTimeoutMs);
  });
  // The parent may be gone before the disconnect event arrives.
  const sendCounts = (counts: ShardCounts): void =>
    void (process.connected && process.send!(counts, undefined, undefined, () => {}));
  process.once('message', (shard) => {
    void simulateShard(shard as Shard, end.signal, sendCounts).then(() => process.exit(0));
  });
}

if (process.argv[2] === 'simulate-share') runShard();
else
  process.exitCode = await simulate(process.argv.slice(process.argv[2] === 'simulate' ? 3 : 2)).catch(
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error));
      return 2;
    },
  );
