/** The settings of relays: that of the server, those in other regions, and what a relay that runs alone needs to know. */
import { listOf, setting } from './setting.ts';
import { toWssOrigin } from './values.ts';

/** A relay that runs alone, as a server knows it. */
interface RelayEntry {
  name: string;
  /** Its origin, as wss://… */
  url: string;
  /** Its Ed25519 key in base64url. */
  key: string;
}

export interface RelayConfig {
  /** URL of the relay of this server, as wss://…; undefined for the public address. */
  relayUrl: string | undefined;
  /** The relays in other regions. */
  relays: readonly RelayEntry[];
  /** The keys of the servers whose sessions a relay carries that runs alone. */
  relayServers: readonly string[];
}

const maxEntries = 8;
const entryPattern = /^([a-z0-9-]{1,32})=(wss:[^#]+)#([A-Za-z0-9_-]{43})$/i;

/** `name=wss://host:port#key` */
function toEntryText(text: string): string | undefined {
  const [, name, url, key] = entryPattern.exec(text) ?? [];
  const origin = url === undefined ? undefined : toWssOrigin(url);
  return origin === undefined ? undefined : `${name}=${origin}#${key}`;
}

function toEntryTexts(text: string): ReturnType<ReturnType<typeof listOf>> {
  const entries = listOf(toEntryText)(text);
  if (!Array.isArray(entries)) return entries;
  const repeated = entries.find((entry, index) => entries.findIndex(isNamedLike(entry)) < index);
  const surplus = repeated ?? entries[maxEntries];
  return surplus === undefined ? entries : { badItem: surplus };
}

const isNamedLike =
  (entry: string) =>
  (other: string): boolean =>
    other.split('=', 1)[0] === entry.split('=', 1)[0];

const toPublicKey = (text: string): string | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(text) ? text : undefined;

export const relaySettings = {
  relay_url: setting(toWssOrigin, {
    says: 'Address of the relay of this server. Where several servers share one public address, sessions are faster if each has its own.',
    accepts: 'a wss address without a path, such as wss://one.example.com',
    default: '',
    absent: 'at `public_url`',
  }),
  relays: setting(toEntryTexts, {
    says: 'Relays in other regions, each with a name, its address and its key. `drawbridge relay start` prints the key. A session uses the one with the shortest way between operator and device.',
    accepts: 'at most 8 relays with different names, such as oslo=wss://oslo.example.com#KEY',
    default: '',
    absent: 'only the relay of the server',
  }),
  relay_servers: setting(listOf(toPublicKey), {
    says: 'For `drawbridge relay start`: the keys of the servers whose sessions the relay carries. `drawbridge relay key` on a server prints its key.',
    accepts: 'a list of keys of 43 letters, digits, - and _',
    default: '',
    absent: 'none',
  }),
};

interface RelayValues {
  relay_url?: string | undefined;
  relays?: string[] | undefined;
  relay_servers?: string[] | undefined;
}

export const relaysOf = (values: RelayValues): RelayConfig => ({
  relayUrl: values.relay_url,
  relays: (values.relays ?? []).map((text) => {
    const [, name, url, key] = entryPattern.exec(text)!;
    return { name: name!, url: url!, key: key! };
  }),
  relayServers: values.relay_servers ?? [],
});
