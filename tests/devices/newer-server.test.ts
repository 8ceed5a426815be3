/** A server that is newer than the agent: the agent refuses commands that it does not know, and stays connected. */
import assert from 'node:assert/strict';
import { on } from 'node:events';
import { test } from 'node:test';
import { createDeviceKey, newNonce, signWith } from '@drawbridge/agent/uplink/keys';
import { newState } from '@drawbridge/agent/state';
import { serverStatement, type DownMessage, type UpMessage } from '@drawbridge/contract/uplink/messages';
import type { WebSocket } from 'ws';
import { startAgent } from '../kit/agent/agent.ts';
import { makeKeyPair, openImpostorServer } from '../kit/server/proxies.ts';

type Received<Kind> = Extract<UpMessage, { kind: Kind }>;

/** The server's end of an uplink. Messages of other kinds than the expected one are skipped. */
function openUplink(socket: WebSocket, signal: AbortSignal) {
  const messages = on(socket, 'message', { close: ['close'], signal }) as AsyncIterableIterator<[Buffer]>;
  return {
    send: (message: DownMessage): void => socket.send(JSON.stringify(message)),
    async receive<Kind extends UpMessage['kind']>(kind: Kind): Promise<Received<Kind>> {
      for (;;) {
        const [text] = (await messages.next()).value as [Buffer];
        const message = JSON.parse(text.toString()) as UpMessage;
        if (message.kind === kind) return message as Received<Kind>;
      }
    },
  };
}

type ServerUplink = ReturnType<typeof openUplink>;

/** Proves its identity to a device and welcomes it, as a server does. */
async function welcomeDevice({ send, receive }: ServerUplink): Promise<void> {
  const { publicKey, privateKey } = createDeviceKey();
  const [nonce, certificate] = [newNonce(), ''];
  const { key: agentKey, nonce: agentNonce } = await receive('hello');
  const statement = serverStatement({ serverNonce: nonce, agentNonce, agentKey, certificate });
  send({
    kind: 'challenge',
    nonce,
    key: publicKey,
    certificate,
    signature: signWith(privateKey, statement),
  });
  await receive('proof');
  send({
    kind: 'welcome',
    id: 1,
    device_id: 123_456_789,
    owner: 'ann@example.com',
    name: 'desk',
    epoch: newNonce(),
    approved: true,
    heartbeat_seconds: 12,
  });
  await receive('kept');
}

test(
  'an agent refuses a command that it does not know, and carries out the next one on the same connection',
  { timeout: 60_000 },
  async ({ signal }) => {
    const pair = await makeKeyPair();
    const connected = Promise.withResolvers<ServerUplink>();
    await using server = await openImpostorServer(
      (socket) => connected.resolve(openUplink(socket, signal)),
      pair,
    );
    await using agent = startAgent({
      server: server.url,
      state: newState(server.url, newNonce(), ''),
      connect: { ca: pair.cert },
    });
    const uplink = await connected.promise;
    await welcomeDevice(uplink);
    const ask = (number: number, name: string): Promise<UpMessage> => {
      uplink.send({ kind: 'command', number, name, input: {} });
      return uplink.receive('answer');
    };

    const answers = [await ask(1, 'defragment'), await ask(2, 'toString'), await ask(3, 'lock')];

    const refused = 'This agent does not know the command. Update the agent.';
    assert.deepEqual(answers, [
      { kind: 'answer', number: 1, refused },
      { kind: 'answer', number: 2, refused },
      { kind: 'answer', number: 3, done: {} },
    ]);
    assert.deepEqual(agent.machine.done, ['lock']);
    assert.equal(server.count(), 1);
  },
);
