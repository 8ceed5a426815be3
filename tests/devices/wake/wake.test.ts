/**
 * Wake-on-LAN with real agents, a real network between them, and a listener in place of the sleeping card.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNamespaces, skipWithoutNamespaces } from '../../kit/agent/namespaces.ts';
import { startProgram } from '../../kit/process.ts';

const skip = skipWithoutNamespaces();

interface Result {
  adapters: { MACAddress: string; Addresses: string }[];
  far: { status: number; error: { code: string } };
  byServer: { status: number };
  packet: string;
  byBoth: { status: number };
  wasCommanded: boolean;
  packets: number;
}

test(
  'the server and an agent on the same network each wake a sleeping device with a packet that contains its address',
  { skip },
  async () => {
    using namespaces = openNamespaces();
    const { one, other } = namespaces;
    const args = [one.address, ...other.inside];
    await using program = startProgram('tests/devices/wake/wake-program.ts', args, {}, one.inside);

    const [, text] = await program.until(/result (.*)\n/);
    const { adapters, far, byServer, packet, byBoth, wasCommanded, packets } = JSON.parse(text!) as Result;

    const card = adapters.find(({ MACAddress }) => MACAddress === other.mac);
    assert.match(card!.Addresses, new RegExp(`^${other.address}`));
    assert.deepEqual([far.status, far.error.code], [1, 'no_wake_path'], 'a network that nobody shares');
    assert.deepEqual(byServer, { status: 0 });
    assert.equal(packet, `${'ff'.repeat(6)}${other.mac.replaceAll(':', '').repeat(16)}`);
    assert.deepEqual([byBoth, wasCommanded, packets], [{ status: 0 }, true, 3]);
  },
);
