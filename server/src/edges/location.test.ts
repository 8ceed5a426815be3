/** Locations of addresses: from the bundled database, from another one, and from none. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { encode, writeMmdb } from '../../../tests/kit/server/mmdb-file.ts';
import { openLocations } from './location.ts';

const nowhere = { country: '', region: '', city: '' };

test('the bundled database knows the country and the network of an address', () => {
  const locations = openLocations(undefined);

  assert.deepEqual(locations.geoOf('8.8.8.8'), { ...nowhere, ip: '8.8.8.8', country: 'United States' });
  assert.ok(locations.rangeOf('8.8.8.8'));
  for (const ip of ['127.0.0.1', 'not an address', '']) {
    assert.deepEqual(locations.geoOf(ip), { ...nowhere, ip });
    assert.equal(locations.rangeOf(ip), undefined);
  }
  locations.close();
});

test('a city database adds region and city, and a damaged entry is an unknown place', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-location-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'city.mmdb');
  const lisbon = {
    country: { iso_code: 'PT' },
    subdivisions: [{ names: { en: 'Lisboa' } }],
    city: { names: { en: 'Lisbon' } },
  };
  const networks = { '10.0.0.0/8': encode(lisbon), '11.0.0.0/8': Buffer.from([0, 5]) };
  writeFileSync(file, writeMmdb(networks, { recordBits: 28, ipVersion: 6 }));
  const locations = openLocations(file);

  assert.deepEqual(locations.geoOf('10.1.1.1'), {
    ip: '10.1.1.1',
    country: 'Portugal',
    region: 'Lisboa',
    city: 'Lisbon',
  });
  assert.deepEqual(locations.rangeOf('10.1.1.1'), { first: '10.0.0.0', last: '10.255.255.255' });
  assert.deepEqual(locations.geoOf('11.1.1.1'), { ...nowhere, ip: '11.1.1.1' });
  locations.close();
});

test('without a database every place is unknown', () => {
  const locations = openLocations('none');

  assert.deepEqual(locations.geoOf('8.8.8.8'), { ...nowhere, ip: '8.8.8.8' });
  assert.equal(locations.rangeOf('8.8.8.8'), undefined);
  locations.close();
});
