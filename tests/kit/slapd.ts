/** A private OpenLDAP server on free loopback ports, with its own certificate. What it holds can be replaced. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { boundToParent, followProcess, type Program } from './process.ts';
import { requirements } from './requirements.ts';

export const directoryBase = 'dc=example,dc=com';
export const directoryReader = {
  bind_dn: `cn=admin,${directoryBase}`,
  bind_password: 'secret of the reader',
};

export interface LdapEntry {
  dn: string;
  [attribute: string]: string | readonly string[];
}

export interface Slapd extends AsyncDisposable {
  /** `ldaps://` */
  url: string;
  /** `ldap://`, for StartTLS. */
  plainUrl: string;
  port: number;
  /** The certificate that it presents. */
  ca: string;
  /** Stops it, and starts it again with these entries below the base. */
  load(entries: readonly LdapEntry[]): Promise<void>;
  stop(): Promise<void>;
}

/** Values in base64, so that they may hold any character. */
const toLdif = (entry: LdapEntry): string =>
  Object.entries(entry)
    .flatMap(([name, values]) =>
      [values].flat().map((value) => `${name}:: ${Buffer.from(value).toString('base64')}\n`),
    )
    .join('');

const reader: LdapEntry = {
  dn: directoryReader.bind_dn,
  objectClass: ['organizationalRole', 'simpleSecurityObject'],
  cn: 'admin',
  userPassword: directoryReader.bind_password,
};

const base: LdapEntry = {
  dn: directoryBase,
  objectClass: ['dcObject', 'organization'],
  dc: 'example',
  o: 'Example',
};

const configuration = (folder: string, limits: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
allow bind_anon_cred
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
database mdb
maxsize 268435456
suffix "${directoryBase}"
rootdn "cn=manager"
directory ${folder}/data
dbnosync
overlay ppolicy
${limits}
access to * by * read
`;

/** It says that it starts before it listens. */
const accepts = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** `limits` are lines of its configuration. */
export async function startSlapd(limits = 'sizelimit unlimited'): Promise<Slapd> {
  const program = requirements.slapd()!;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-slapd-'));
  const [port, plainPort] = [await freePort(), await freePort()];
  const { cert, key } = await createSelfSigned(['localhost', '127.0.0.1'], new Date());
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  const file = join(folder, 'slapd.conf');
  writeFileSync(file, configuration(folder, limits));
  let running: Program | undefined;
  const stop = async (): Promise<void> => void (await running?.end('SIGKILL'));
  return {
    url: `ldaps://127.0.0.1:${port}`,
    plainUrl: `ldap://127.0.0.1:${plainPort}`,
    port,
    ca: cert,
    stop,
    async load(entries) {
      await stop();
      rmSync(join(folder, 'data'), { recursive: true, force: true });
      mkdirSync(join(folder, 'data'));
      const input = [base, reader, ...entries].map(toLdif).join('\n');
      execFileSync(join(dirname(program), 'slapadd'), ['-q', '-f', file], { input });
      const urls = `ldaps://127.0.0.1:${port} ldap://127.0.0.1:${plainPort}`;
      const child = spawn(...boundToParent(program, ['-f', file, '-h', urls, '-d', 'stats']), {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running = followProcess(child);
      await running.until(/slapd starting/);
      await Promise.all([port, plainPort].map((each) => eventually(() => accepts(each), Boolean)));
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Person {
  uid: string;
  mail?: string;
  /** Its name below the base; by default the uid. */
  cn?: string;
  locked?: boolean;
  password?: string;
}

/** The characters that have a meaning in a DN. */
const escapeDn = (text: string): string => text.replace(/[,+"\\<>;=#]/g, '\\$&');

const dnOf = (cn: string): string => `cn=${escapeDn(cn)},${directoryBase}`;

/** A UUID that stays the same for the same text. */
const uuidOf = (text: string): string =>
  Buffer.from(text.padEnd(16, '-'))
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const ldapPerson = ({
  uid,
  mail = `${uid}@example.com`,
  cn = uid,
  locked,
  password,
}: Person): LdapEntry => ({
  dn: dnOf(cn),
  objectClass: 'inetOrgPerson',
  cn,
  sn: uid,
  mail,
  entryUUID: uuidOf(uid),
  ...(password !== undefined && { userPassword: password }),
  ...(locked && { pwdAccountLockedTime: '000001010000Z' }),
});

export const ldapGroup = (uid: string, members: readonly string[], cn = uid): LdapEntry => ({
  dn: dnOf(cn),
  objectClass: 'groupOfNames',
  cn,
  member: members.map(dnOf),
  entryUUID: uuidOf(uid),
});
