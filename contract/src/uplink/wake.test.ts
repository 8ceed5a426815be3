/** Tests Wake-on-LAN: the bytes and targets of magic packets, and which networks two machines share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInNetwork, magicPackets, wakeNetworks } from './wake.ts';

test('a magic packet is six times FF and sixteen times the MAC address, sent as a broadcast', () => {
  const packets = magicPackets(['02:00:00:00:0a:ff'], { address: '10.20.31.4', netmask: '255.255.252.0' });

  assert.deepEqual(
    packets.map(({ port, to }) => [port, to]),
    [
      [9, '10.20.31.255'],
      [7, '10.20.31.255'],
    ],
  );
  for (const { bytes } of packets)
    assert.equal(Buffer.from(bytes).toString('hex'), 'ff'.repeat(6) + '020000000aff'.repeat(16));
});

test('an address is in a network exactly if the netmask says so', () => {
  const network = { address: '10.20.31.4', netmask: '255.255.252.0' };
  const near = ['10.20.28.1', '10.20.31.250'];
  const far = ['10.20.32.1', '192.168.1.4', 'fd00::2', '', '10.20.31', '10.20.31.4.5'];

  assert.deepEqual(
    [...near, ...far].filter((address) => isInNetwork(address, network)),
    near,
  );
});

test('packets are sent on IPv4 networks and not on the loopback interface', () => {
  const netmask = '255.0.0.0';
  const networks = wakeNetworks({
    lo: [{ address: '127.0.0.1', netmask, family: 'IPv4', internal: true }],
    eth0: [
      { address: '10.0.0.2', netmask, family: 'IPv4', internal: false },
      { address: 'fd00::2', netmask: 'ffff::', family: 'IPv6', internal: false },
    ],
    gone: undefined,
  });

  assert.deepEqual(networks, [{ address: '10.0.0.2', netmask }]);
});
