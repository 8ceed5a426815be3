/** Three servers behind haproxy with round robin, as `npm run test:cluster` uses them in place of one server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startAgent } from '../kit/agent/agent.ts';
import { freePort } from '../kit/free-port.ts';
import { startHaproxy } from '../kit/nodes/haproxy.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { makeKeyPair } from '../kit/server/proxies.ts';
import { startService } from '../kit/server/service.ts';

const skip = skipWithout('haproxy');
const skipNodes = skip || skipWithout('PostgreSQL') || skipWithout('nats-server');

/** A server that answers every request with its port. */
async function openEcho(context: TestContext): Promise<number> {
  const server = createServer((_, answer) => void answer.end(String(port))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  context.after(() => server.close().closeAllConnections());
  return port;
}

const read = (port: number, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ port, agent, rejectUnauthorized: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(text));
    }).on('error', reject);
  });

test(
  'the balancer sends each request to the next server, also those of one connection',
  { skip },
  async (context) => {
    const servers = [await openEcho(context), await openEcho(context), await openEcho(context)];
    const port = await freePort();
    await using _balancer = await startHaproxy({ port, servers, certificate: await makeKeyPair() });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => agent.destroy());
    const answers: string[] = [];
    while (answers.length < 6) answers.push(await read(port, agent));

    for (const each of servers)
      assert.equal(answers.filter((text) => text === String(each)).length, 2, answers.join());
  },
);

test(
  'a device on one of three servers gets the commands that arrive at any of them',
  { skip: skipNodes },
  async () => {
    await using service = await startService({ cluster: true, realTime: true });
    const { owner } = await service.account();
    await using agent = startAgent({
      server: service.server.config.publicUrl,
      token: await createEnrolToken(owner),
    });
    await agent.until(/connected/);
    await waitUntilOnline(owner, agent.state.id);
    const codes: number[] = [];
    while (codes.length < 3) codes.push((await owner.call('agents/reboot', { id: agent.state.id })).http);

    assert.deepEqual(codes, [200, 200, 200]);
  },
);
