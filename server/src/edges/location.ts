/** Looks up the location and the network of an address in a local database; unknown parts are empty. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Geo } from '../domain/devices/agents.ts';
import { rangeOf, type AddressRange } from '../domain/networks.ts';
import { openPagedFile } from './mmdb/paged-file.ts';
import { openMmdb, type MmdbReader } from './mmdb/reader.ts';

/** The parts of an entry that are used, in country and in city databases. */
interface Entry {
  country_code?: string;
  country?: { iso_code?: string; names?: { en?: string } };
  subdivisions?: { names?: { en?: string } }[];
  city?: { names?: { en?: string } };
}

export interface Locations {
  geoOf(address: string): Geo;
  /** The network in which the database lists an address; undefined if it does not know the address. */
  rangeOf(address: string): AddressRange | undefined;
  close(): void;
}

/** The database that comes with the server: countries only, in the public domain. */
const ownDatabase = (): string => {
  const package_ = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/package.json',
  );
  return join(dirname(package_), 'geo-whois-asn-country.mmdb');
};

let names: Intl.DisplayNames | undefined;

/** Loads the names with the first address, because they take memory. */
const nameOf = (code: string): string | undefined =>
  (names ??= new Intl.DisplayNames(['en'], { type: 'region' })).of(code);

const countryOf = (entry: Entry): string => {
  const named = entry.country?.names?.en;
  if (named !== undefined) return named;
  const code = entry.country_code ?? entry.country?.iso_code ?? '';
  return /^[A-Z]{2}$/.test(code) ? (nameOf(code) ?? code) : '';
};

/** Opens the database named in the settings, or the bundled one; with `none`, every location is empty. */
export function openLocations(name: string | undefined): Locations {
  const file = name === 'none' ? undefined : openPagedFile(name ?? ownDatabase());
  const reader = file && openMmdb(file);
  return {
    geoOf(ip) {
      const { entry } = lookUp(reader, ip);
      return {
        ip,
        country: entry ? countryOf(entry) : '',
        region: entry?.subdivisions?.[0]?.names?.en ?? '',
        city: entry?.city?.names?.en ?? '',
      };
    },
    rangeOf(ip) {
      const { entry, bits } = lookUp(reader, ip);
      return entry && rangeOf(ip, bits);
    },
    close: () => file?.close(),
  };
}

interface Found {
  entry: Entry | undefined;
  /** The length of the network's prefix. */
  bits: number;
}

function lookUp(reader: MmdbReader | undefined, ip: string): Found {
  try {
    return (reader?.find(ip) ?? { entry: undefined, bits: 0 }) as Found;
  } catch {
    return { entry: undefined, bits: 0 }; // not an address, or the file is damaged where it is looked up
  }
}
