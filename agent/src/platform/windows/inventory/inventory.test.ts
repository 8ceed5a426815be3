/** Tests of what the agent reads from the records of Windows: firmware, network interfaces and names of graphics cards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFirmware } from './firmware.ts';
import { readInterface } from './interfaces.ts';
import { isIntegrated } from './video.ts';

/** An SMBIOS structure: its type, the fields after the header, and its texts. */
function structure(type: number, fields: readonly number[], texts: readonly string[]): Buffer {
  const header = Buffer.from([type, 4 + fields.length, 0, 0]);
  const strings = texts.length === 0 ? '\0\0' : `${texts.join('\0')}\0\0`;
  return Buffer.concat([header, Buffer.from(fields), Buffer.from(strings, 'latin1')]);
}

test('the firmware names manufacturer, model, serial number and BIOS', () => {
  const table = Buffer.concat([
    structure(0, [1, 2, 0, 0, 3], ['LENOVO', 'N2IET99W', '03/04/2025']),
    structure(1, [1, 2, 0, 3], ['LENOVO', 'ThinkPad T490', 'PF1ABCDE']),
    structure(127, [], []),
  ]);

  assert.deepEqual(readFirmware(table), {
    BIOS: 'LENOVO',
    BIOSDate: '03/04/2025',
    BIOSVersion: 'N2IET99W',
    ComputerModel: 'LENOVO ThinkPad T490',
    RAMBanks: [],
    serial: 'PF1ABCDE',
  });
});

test('texts that stand for something unknown are empty, and so is a machine without a table', () => {
  const table = structure(1, [1, 2, 0, 3], ['System manufacturer', 'X570', 'System Serial Number']);

  assert.equal(readFirmware(table).ComputerModel, 'X570');
  assert.equal(readFirmware(table).serial, '');
  assert.equal(readFirmware(Buffer.alloc(0)).BIOS, '');
});

/** A row of the system's table of interfaces. */
function interfaceRow(changes: (row: Buffer) => void): Buffer {
  const row = Buffer.alloc(1_352);
  Buffer.from('00112233445566778899aabbccddeeff', 'hex').copy(row, 12);
  row.write('Ethernet\0', 28, 'utf16le');
  row.write('Intel(R) I219-LM\0', 542, 'utf16le');
  row.writeUInt32LE(6, 1_056);
  Buffer.from('8c1645a0b1c2', 'hex').copy(row, 1_060);
  row.writeUInt32LE(6, 1_128);
  row[1_152] = 1;
  row.writeBigUInt64LE(1_000_000_000n, 1_192);
  changes(row);
  return row;
}

test('an interface has its names, its address and its speed', () => {
  assert.deepEqual(readInterface(interfaceRow(() => {})), {
    alias: 'Ethernet',
    description: 'Intel(R) I219-LM',
    guid: '{33221100-5544-7766-8899-AABBCCDDEEFF}',
    mac: '8c:16:45:a0:b1:c2',
    isHardware: true,
    isWired: true,
    isLoopback: false,
    megabits: 1_000,
  });
});

test('an interface without a cable has no speed, and one without an address no address', () => {
  const unplugged = readInterface(interfaceRow((row) => row.writeBigUInt64LE(2n ** 64n - 1n, 1_192)));
  const tunnel = readInterface(interfaceRow((row) => row.writeUInt32LE(8, 1_056)));

  assert.equal(unplugged.megabits, 0);
  assert.equal(tunnel.mac, '');
});

test('graphics units inside processors are recognised by their names', () => {
  const inside = ['Intel(R) UHD Graphics 620', 'AMD Radeon(TM) Graphics', 'AMD Radeon Vega Graphics'];
  const cards = ['NVIDIA GeForce RTX 3060', 'AMD Radeon RX 6600', 'Intel(R) Arc(TM) A750 Graphics'];

  assert.deepEqual(inside.map(isIntegrated), [true, true, true]);
  assert.deepEqual(cards.map(isIntegrated), [false, false, false]);
});
