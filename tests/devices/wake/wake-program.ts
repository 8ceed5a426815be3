/**
 * Wakes a device from inside a network namespace: a server and an agent here, another agent and a listener at
 * the other end.
 */
import { hardwareWith } from '../../kit/server/account.ts';
import { startService } from '../../kit/server/service.ts';
import { listDevices, waitUntilOnline, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startAgentProcess, startProgram } from '../../kit/process.ts';
import { eventually } from '../../kit/eventually.ts';

/** The address of this end, and the command prefix that runs a command at the other. */
const [address, ...there] = process.argv.slice(2) as [string, ...string[]];
await using service = await startService({ realTime: true, env: { DRAWBRIDGE_LISTEN: '0.0.0.0:0' } });
const server = `https://${address}:${service.server.config.listen.port}`;
const { owner, agent } = await service.account();
const token = await createEnrolToken(owner, { uses: 2 });

await using sleeper = startAgentProcess(server, token, there);
await sleeper.until(/connected as/);
const { id } = (await listDevices(owner))[0]!;
await waitUntilOnline(owner, id);
const { hardware } = await eventually(
  async () => (await owner.call('agents/info', { agent_id: id })).body['data'],
  (data) => data.hardware.NetAdapters.length > 0,
);
const { NetAdapters } = hardware;
const elsewhere = await agent({ hardware: hardwareWith({ NetAdapters, ComputerIP: ['172.31.9.9'] }) });
await using listener = startProgram('tests/devices/wake/wake-listener.ts', [], {}, there);
await listener.until(/listening/);
await sleeper.end('SIGTERM');
await waitUntilOnline(owner, id, false);

const far = (await owner.call('agents/wake', { id: elsewhere.id })).body;
const byServer = (await owner.call('agents/wake', { id })).body;
if (byServer.status !== 0) throw new Error(`the server found no way: ${JSON.stringify(byServer)}`);
const [, packet] = await listener.until(/packet (\w+)/);

await using waker = startAgentProcess(server, token);
await waker.until(/connected as/);
const first = (await listDevices(owner)).find((device) => ![id, elsewhere.id].includes(device.id))!;
await waitUntilOnline(owner, first.id);
const byBoth = (await owner.call('agents/wake', { id })).body;
await listener.until(/(packet \w+\s+){3}/);
const wasCommanded =
  /command received: wake/.test(waker.output()) && !/command refused: wake/.test(waker.output());

const packets = listener.output().match(/packet \w+/g)!.length;
const result = { adapters: NetAdapters, far, byServer, packet, byBoth, wasCommanded, packets };
console.log(`result ${JSON.stringify(result)}`);
