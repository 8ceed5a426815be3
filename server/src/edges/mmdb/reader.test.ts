/** Addresses in MMDB files, read by pages: the same answers as the reference implementation, and errors for damaged files. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { Reader } from 'maxmind';
import { drawn } from '../../../../tests/kit/random.ts';
import {
  valueHeader,
  encode,
  encodeInteger,
  encodeDataPointer,
  writeMmdb,
  type MmdbNetworks,
} from '../../../../tests/kit/server/mmdb-file.ts';
import { type ByteSource, openPagedFile } from './paged-file.ts';
import { openMmdb } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-mmdb-'));
after(() => rmSync(folder, { recursive: true }));

const bundled = join(
  dirname(createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/package.json')),
  'geo-whois-asn-country.mmdb',
);

/** Small pages, so that values cross their borders, and few of them, so that they are read again and again. */
const small = { pageSize: 64, maxPages: 8 };

const sourceOf = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read(offset, length) {
    if (offset < 0 || offset + length > bytes.length) throw new RangeError('outside');
    return bytes.subarray(offset, offset + length);
  },
});

function fileOf(bytes: Buffer): string {
  const file = join(folder, 'some.mmdb');
  writeFileSync(file, bytes);
  return file;
}

const referenceOf = (bytes: Buffer) => {
  const reader = new Reader<never>(bytes);
  return (address: string) => {
    const [entry, bits] = reader.getWithPrefixLength(address);
    return { entry: entry ?? undefined, bits };
  };
};

const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  // Most IPv6 addresses in use begin like this.
  fc
    .tuple(fc.integer({ min: 0x2000, max: 0x2fff }), fc.nat(0xffff))
    .map(([first, second]) => `${first.toString(16)}:${second.toString(16)}::1`),
);

test('the bundled database gives the same answers by pages as in memory, with a bounded cache', () => {
  const limits = { pageSize: 4_096, maxPages: 16 };
  const file = openPagedFile(bundled, limits);
  const [reader, reference] = [openMmdb(file), referenceOf(readFileSync(bundled))];
  let known = 0;

  fc.assert(
    fc.property(addresses, (address) => {
      const found = reader.find(address);
      if (found.entry !== undefined) known += 1;
      assert.deepEqual(found, reference(address));
      assert.ok(file.cachedBytes() <= limits.pageSize * limits.maxPages);
    }),
    drawn(5_000),
  );

  assert.ok(known > 1_000, `only ${known} addresses were known`);
  file.close();
});

const everyType = encode({
  names: { en: 'Brazil', de: 'Brasilien', long: 'x'.repeat(300), longer: 'y'.repeat(66_000) },
  parts: [
    encodeInteger(5, 2, 7n),
    encodeInteger(6, 4, 4_000_000_000n),
    encodeInteger(8, 4, 0xfffffffen),
    encodeInteger(8, 2, 65_000n),
  ],
  large: [encodeInteger(9, 8, 2n ** 60n), encodeInteger(10, 16, 2n ** 120n), encodeInteger(9, 0, 0n)],
  flags: [true, false],
  fractions: [0.5, -1e300],
  raw: Buffer.concat([valueHeader(4, 3), Buffer.from([1, 2, 3])]),
  float: Buffer.concat([valueHeader(15, 4), Buffer.from([0x3f, 0, 0, 0])]),
  none: {},
  constructor: 'a name that objects have already',
});

for (const recordBits of [24, 28, 32] as const)
  for (const ipVersion of [4, 6] as const)
    test(`values of every type are read from IPv${ipVersion} trees with records of ${recordBits} bits`, () => {
      const networks: MmdbNetworks = {
        '10.0.0.0/8': everyType,
        '10.1.2.3/32': encode('host'),
        '0.0.0.0/5': encode('low'),
      };
      if (ipVersion === 6) networks['2001:db8::/32'] = everyType;
      const bytes = writeMmdb(networks, { recordBits, ipVersion });
      const file = openPagedFile(fileOf(bytes), small);
      const [reader, reference] = [openMmdb(file), referenceOf(bytes)];

      for (const address of ['10.0.0.1', '10.1.2.3', '10.1.2.4', '1.2.3.4', '200.1.1.1', '255.255.255.255'])
        assert.deepEqual(reader.find(address), reference(address));
      for (const address of ipVersion === 6 ? ['2001:db8::5', '2001:db9::', '::a01:203', '::10.1.2.3'] : [])
        assert.deepEqual(reader.find(address), reference(address));
      assert.deepEqual(reader.find('10.1.2.3').entry, 'host');
      if (ipVersion === 4) assert.deepEqual(reader.find('2001:db8::5'), { entry: undefined, bits: 0 });
      assert.throws(() => reader.find('10.0.0'), /not an address/);
      file.close();
    });

for (const recordBits of [28, 32] as const)
  test(`entries behind the first 16 MB are found with records of ${recordBits} bits`, () => {
    const networks = { '10.0.0.0/8': encode('left'), '13.0.0.0/8': encode('right') };
    const bytes = writeMmdb(networks, { recordBits, ipVersion: 4, before: Buffer.alloc(2 ** 24) });
    const [reader, reference] = [openMmdb(sourceOf(bytes)), referenceOf(bytes)];

    assert.deepEqual(
      ['10.0.0.1', '11.0.0.1', '12.0.0.1', '13.0.0.1'].map((address) => reader.find(address).entry),
      ['left', undefined, undefined, 'right'],
    );
    for (const address of ['10.0.0.1', '11.0.0.1', '12.0.0.1', '13.0.0.1'])
      assert.deepEqual(reader.find(address), reference(address));
  });

const plainForm = { recordBits: 24, ipVersion: 4 } as const;

test('pointers of every length lead to the value that they name', () => {
  const before = Buffer.alloc(600_100);
  for (const offset of [0, 3_000, 600_000]) encode(`at ${offset}`).copy(before, offset);
  const list = [
    encodeDataPointer(0, 1),
    encodeDataPointer(3_000, 2),
    encodeDataPointer(600_000, 3),
    encodeDataPointer(3_000, 4),
    'after',
  ];
  const bytes = writeMmdb({ '10.0.0.0/8': encode(list) }, { ...plainForm, before });

  const { entry } = openMmdb(sourceOf(bytes)).find('10.0.0.1');

  assert.deepEqual(entry, ['at 0', 'at 3000', 'at 600000', 'at 3000', 'after']);
  assert.deepEqual(entry, referenceOf(bytes)('10.0.0.1').entry);
});

test('values that contain themselves, repeat without end or are too long are errors', () => {
  const bombs: Record<string, [Buffer, RegExp]> = {
    'a list of itself': [encode([encodeDataPointer(0, 1)]), /too many parts/],
    'a pointer to itself': [encodeDataPointer(0, 1), /too many parts/],
    'a million entries': [valueHeader(11, 1_000_000), /./],
    'a long text': [Buffer.concat([valueHeader(2, 200_000), Buffer.alloc(200_000)]), /too many bytes/],
    'a text many times': [
      encode(['x'.repeat(10_000), ...Array.from({ length: 100 }, () => encodeDataPointer(3, 1))]),
      /too many bytes/,
    ],
    'a wide number': [Buffer.concat([valueHeader(6, 5), Buffer.alloc(5)]), /5 bytes/],
    'an unknown type': [Buffer.from([0, 5]), /unknown type 12/],
    'no type': [Buffer.from([0, 0]), /without a type/],
    'a pointer to outside': [encodeDataPointer(60_000, 4), /./],
  };
  for (const [name, [value, error]] of Object.entries(bombs)) {
    const reader = openMmdb(sourceOf(writeMmdb({ '10.0.0.0/8': value }, plainForm)));
    assert.throws(() => reader.find('10.0.0.1'), error, name);
  }
});

test('a damaged file gives an answer or an error after a bounded number of reads', () => {
  const bytes = writeMmdb(
    { '10.0.0.0/8': encode({ names: ['a', encodeDataPointer(1, 1)], at: 7 }), '11.0.0.0/9': encode([1, 2]) },
    plainForm,
  );
  const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  const outcomes = { answer: 0, error: 0 };

  fc.assert(
    fc.property(damage, fc.ipV4(), (changes, address) => {
      const damaged = Buffer.from(bytes);
      for (const [at, byte] of changes) damaged[at] = byte;
      const source = sourceOf(damaged);
      let reads = 0;
      const counted = {
        size: source.size,
        read: (at: number, length: number) => (reads++, source.read(at, length)),
      };
      const lookUp = (): unknown => {
        const reader = openMmdb(counted);
        return ['10.1.1.1', '11.1.1.1', address].map((each) => reader.find(each));
      };
      outcomes[outcomeOf(lookUp)] += 1;
      assert.ok(reads < 50_000, `${reads} reads`);
    }),
    drawn(3_000),
  );

  assert.ok(outcomes.answer > 100 && outcomes.error > 100, JSON.stringify(outcomes));
});

function outcomeOf(work: () => unknown): 'answer' | 'error' {
  try {
    work();
    return 'answer';
  } catch {
    return 'error';
  }
}

test('a file of another kind, an incomplete one, and one that became shorter are errors', () => {
  const bytes = writeMmdb({ '10.0.0.0/8': everyType }, plainForm);
  const file = fileOf(bytes);
  const opened = openPagedFile(file, small);
  const reader = openMmdb(opened);
  truncateSync(file, 10);

  assert.throws(() => reader.find('10.0.0.1'), /became shorter/);
  assert.throws(() => openMmdb(sourceOf(Buffer.from('a text'))), /not an MMDB file/);
  assert.throws(() => openMmdb(sourceOf(Buffer.alloc(0))), /not an MMDB file/);
  assert.throws(() => openMmdb(sourceOf(bytes.subarray(bytes.lastIndexOf('MaxMind.com') - 3))), /incomplete/);
  opened.close();
});
