/** Looks up the location and the network of an address in a local database; unknown parts are empty. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { open, type Reader } from 'maxmind';
import type { Geo } from '../domain/devices/agents.ts';
import { rangeOf, type AddressRange } from '../domain/networks.ts';

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
}

/** The database that comes with the server: countries only, in the public domain. */
const ownDatabase = (): string => {
  const package_ = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/package.json',
  );
  return join(dirname(package_), 'geo-whois-asn-country.mmdb');
};

const names = new Intl.DisplayNames(['en'], { type: 'region' });

const countryOf = (entry: Entry): string => {
  const named = entry.country?.names?.en;
  if (named !== undefined) return named;
  const code = entry.country_code ?? entry.country?.iso_code ?? '';
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : '';
};

/** Opens the database named in the settings, or the bundled one; with `none`, every location is empty. */
export async function openLocations(file: string | undefined): Promise<Locations> {
  const reader: Reader<never> | undefined =
    file === 'none' ? undefined : await open<never>(file ?? ownDatabase());
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
  };
}

interface Found {
  entry: Entry | undefined;
  /** The length of the network's prefix. */
  bits: number;
}

function lookUp(reader: Reader<never> | undefined, ip: string): Found {
  try {
    const [entry, bits] = (reader?.getWithPrefixLength(ip) ?? [null, 0]) as [Entry | null, number];
    return { entry: entry ?? undefined, bits };
  } catch {
    return { entry: undefined, bits: 0 }; // not an address
  }
}
