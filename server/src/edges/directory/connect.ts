/** One encrypted connection to an LDAP server that is never opened a second time, and is limited in time and bytes. */
import { isIP, connect, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Client, ClientOptions } from 'ldapts';
import type { DirectoryConnection, FailedReading } from '../../domain/people/directory-connection.ts';
import { guardedLookup, isBlockedLiteral } from '../outbound/blocked-addresses.ts';

/** What one import may take. */
export interface ReadLimits {
  ms: number;
  bytes: number;
  /** People and groups together. */
  entries: number;
}

export interface DirectoryAccess {
  limits: ReadLimits;
  /** Whether directories may run on the machine of the server. */
  allowLoopback: boolean;
}

/** The code of the error for an address that the server does not connect to. */
export const blockedAddressCode = 'BLOCKED_ADDRESS';

const blockedAddress = (): Error =>
  Object.assign(new Error('the address of the directory is blocked'), { code: blockedAddressCode });

interface Guard {
  /** Resolves when a limit is exceeded. */
  exceeded: Promise<FailedReading>;
  /** Whether more bytes were read than allowed, which is noticed late if they come fast. */
  isTooLarge(): boolean;
  /** Registers the socket that this function opens, and refuses to open a second one of its kind. */
  once<Given extends unknown[], Opened extends Socket>(open: (...given: Given) => Opened): typeof open;
  close(): void;
}

const checkEveryMs = 100;

function createGuard({ ms, bytes }: ReadLimits): Guard {
  const sockets: Socket[] = [];
  const { promise: exceeded, resolve } = Promise.withResolvers<FailedReading>();
  const time = setTimeout(() => resolve({ failure: 'timeout' }), ms);
  const isTooLarge = (): boolean => sockets.some((socket) => socket.bytesRead > bytes);
  const size = setInterval(() => isTooLarge() && resolve({ failure: 'too_large' }), checkEveryMs);
  return {
    exceeded,
    isTooLarge,
    once(open) {
      let isOpened = false;
      return (...given) => {
        // The client connects again by itself, without authentication: what it then reads is not the whole directory.
        if (isOpened) {
          resolve({ failure: 'incomplete' });
          throw new Error('the connection to the directory was lost');
        }
        isOpened = true;
        const socket = open(...given);
        sockets.push(socket);
        return socket;
      };
    },
    close() {
      clearTimeout(time);
      clearInterval(size);
      for (const socket of sockets) socket.destroy();
    },
  };
}

const connectWith =
  (lookup: LookupFunction) =>
  (port: number, host: string): Socket =>
    connect({ port, host, lookup });

/** Connects, authenticates, lets `use` read, and closes the connection whatever happens. */
export async function withConnection<Result>(
  { url, ca, bindDn, bindPassword }: DirectoryConnection,
  { limits, allowLoopback }: DirectoryAccess,
  use: (client: Client) => Promise<Result>,
): Promise<Result | FailedReading> {
  if (bindPassword === undefined) return { failure: 'secret_unreadable' };
  const { Client } = await import('ldapts'); // loaded with the first import, because few servers need it
  const host = new URL(url).hostname.replaceAll(/^\[|\]$/g, '');
  if (isBlockedLiteral(host, allowLoopback)) throw blockedAddress();
  const guard = createGuard(limits);
  const lookup = guardedLookup(allowLoopback, blockedAddress);
  const tlsOptions = {
    ...(ca !== '' && { ca }),
    host,
    lookup,
    ...(isIP(host) === 0 && { servername: host }),
  };
  const isTls = url.startsWith('ldaps:');
  const options: ClientOptions = {
    url,
    ...(isTls && { tlsOptions }),
    createConnection: guard.once(connectWith(lookup)) as typeof connect,
    createSecureConnection: guard.once(connectTls) as typeof connectTls,
  };
  const read = async (): Promise<Result> => {
    const client = new Client(options);
    if (!isTls) await client.startTLS(tlsOptions);
    await client.bind(bindDn, bindPassword);
    return use(client);
  };
  try {
    const result = await Promise.race([read(), guard.exceeded]);
    return guard.isTooLarge() ? { failure: 'too_large' } : result;
  } finally {
    guard.close();
  }
}
