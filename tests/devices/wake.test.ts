/** Wake-on-LAN with real agents, a real network between them, and a listener in the place of the sleeping card. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNamespaces, skipWithoutNamespaces } from '../kit/namespaces.ts';
import { startProgram } from '../kit/process.ts';

const skip = skipWithoutNamespaces();

test(
  'an agent on the same network wakes a sleeping device by a packet with its address',
  { skip },
  async () => {
    using namespaces = openNamespaces();
    const { one, other } = namespaces;
    const args = [one.address, ...other.inside];
    await using story = startProgram('tests/devices/wake-story.ts', args, {}, one.inside);

    const [, text] = await story.until(/result (.*)\n/);
    const { adapters, alone, woken, packet } = JSON.parse(text!) as {
      adapters: { MACAddress: string; Addresses: string }[];
      alone: { status: number; error: { code: string } };
      woken: { status: number };
      packet: string;
    };

    const card = adapters.find(({ MACAddress }) => MACAddress === other.mac);
    assert.match(card!.Addresses, new RegExp(`^${other.address}`));
    assert.deepEqual(woken, { status: 0 });
    assert.equal(packet, `${'ff'.repeat(6)}${other.mac.replaceAll(':', '').repeat(16)}`);
    assert.deepEqual([alone.status, alone.error.code], [1, 'no_wake_path']);
  },
);
