/** Wakes a device from inside a network namespace: a server and an agent here, another agent and a listener over there. */
import { startHouse } from '../kit/house.ts';
import { devicesOf, isOnline, newToken } from '../kit/enrol.ts';
import { startAgentProcess, startProgram } from '../kit/process.ts';
import { seen } from '../kit/seen.ts';

/** The address of this end, and what to write before a command that runs at the other. */
const [address, ...there] = process.argv.slice(2) as [string, ...string[]];
await using house = await startHouse({ realTime: true, env: { DRAWBRIDGE_LISTEN: '0.0.0.0:0' } });
const server = `https://${address}:${house.server.config.listen.port}`;
const { owner } = await house.account();
const token = await newToken(owner, { uses: 2 });

await using waker = startAgentProcess(server, token);
await waker.until(/connected as/);
const first = (await devicesOf(owner))[0]!;
await using sleeper = startAgentProcess(server, token, there);
await sleeper.until(/connected as/);
const { id } = (await devicesOf(owner)).find((device) => device.id !== first.id)!;
await Promise.all([isOnline(owner, first.id), isOnline(owner, id)]);
const { hardware } = await seen(
  async () => (await owner.call('agents/info', { agent_id: id })).body['data'],
  (data) => data.hardware.NetAdapters.length > 0,
  30_000,
);
await using listener = startProgram('tests/devices/wake-listener.ts', [], {}, there);
await listener.until(/listening/);

await sleeper.end('SIGTERM');
await isOnline(owner, id, false);
const alone = (await owner.call('agents/wake', { id: first.id })).body;
const woken = (await owner.call('agents/wake', { id })).body;
const [, packet] = await listener.until(/packet (\w+)/);

console.log(`result ${JSON.stringify({ adapters: hardware.NetAdapters, alone, woken, packet })}`);
