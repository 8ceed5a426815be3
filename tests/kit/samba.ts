/** A private Samba AD domain controller on a loopback address of its own, with its own certificate. Needs root: its ports are fixed. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { boundToParent, followProcess } from './process.ts';

const host = '127.0.0.77';
export const sambaBase = 'OU=Staff,DC=example,DC=com';
export const sambaPassword = 'Of the directory 1';
export const sambaReader = {
  bind_dn: 'CN=reader,CN=Users,DC=example,DC=com',
  bind_password: sambaPassword,
};

export interface SambaPeople {
  /** People with a password; those in `disabled` are disabled. */
  people: readonly string[];
  disabled: readonly string[];
  /** How many people without a password there are besides: u0, u1 and so on. */
  others: number;
  groups: Readonly<Record<string, readonly string[]>>;
}

export interface Samba extends AsyncDisposable {
  /** `ldaps://` */
  url: string;
  /** `ldap://`, where StartTLS encrypts the connection. */
  plainUrl: string;
  ca: string;
  /** Changes an entry, or creates or deletes one: LDIF with `changetype`. */
  modify(ldif: string): void;
  /** Gives an entry another name or place. */
  rename(from: string, to: string): void;
}

const encodedPassword = Buffer.from(`"${sambaPassword}"`, 'utf16le').toString('base64');

const userAt = (dn: string, name: string, control: number): string[] => [
  `dn: ${dn}`,
  'objectClass: user',
  `sAMAccountName: ${name}`,
  `mail: ${name}@example.com`,
  `userAccountControl: ${control}`,
];

/** Flags of userAccountControl: a usual account, one that is disabled, and one that needs no password. */
const [usual, disabledAccount, passwordless] = [512, 514, 544];

function toLdif({ people, disabled, others, groups }: SambaPeople): string {
  const dnOf = (name: string): string => `CN=${name},${sambaBase}`;
  const password = `unicodePwd:: ${encodedPassword}`;
  const control = (name: string): number => (disabled.includes(name) ? disabledAccount : usual);
  const records = [
    [`dn: ${sambaBase}`, 'objectClass: organizationalUnit'],
    [...userAt(sambaReader.bind_dn, 'reader', usual), password],
    ...people.map((name) => [...userAt(dnOf(name), name, control(name)), password]),
    ...Array.from({ length: others }, (_, at) => userAt(dnOf(`u${at}`), `u${at}`, passwordless)),
    ...Object.entries(groups).map(([name, members]) => [
      `dn: ${dnOf(name)}`,
      'objectClass: group',
      `sAMAccountName: ${name}`,
      ...members.map((member) => `member: ${dnOf(member)}`),
    ]),
  ];
  return records.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

const provision = (folder: string): void =>
  void execFileSync(
    'samba-tool',
    [
      'domain',
      'provision',
      '--realm=EXAMPLE.COM',
      '--domain=EXAMPLE',
      '--server-role=dc',
      '--quiet',
      '--dns-backend=NONE',
      '--host-name=dc1',
      `--host-ip=${host}`,
      '--adminpass=Of-the-domain-1',
      `--targetdir=${folder}/dc`,
      `--option=interfaces=${host}/8`,
    ],
    { stdio: 'pipe' },
  );

/** Runs a program of ldb-tools with the database of the domain controller. */
const createLdb =
  (settings: string, database: string) =>
  (program: string, args: readonly string[], input = ''): void =>
    void execFileSync(program, [`--configfile=${settings}`, '-H', database, ...args], {
      input,
      stdio: 'pipe',
    });

export async function startSamba(people: SambaPeople): Promise<Samba> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-samba-'));
  for (const each of ['dc', 'run', 'run/ncalrpc']) mkdirSync(join(folder, each));
  provision(folder);
  const settings = join(folder, 'dc/etc/smb.conf');
  writeFileSync(join(folder, 'people.ldif'), toLdif(people));
  const ldb = createLdb(settings, join(folder, 'dc/private/sam.ldb'));
  ldb('ldbadd', [join(folder, 'people.ldif')]);
  const { cert, key } = await createSelfSigned([host], new Date());
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  const options = {
    'server services': 'ldap',
    interfaces: `${host}/8`,
    'bind interfaces only': 'yes',
    'pid directory': join(folder, 'run'),
    'ncalrpc dir': join(folder, 'run/ncalrpc'),
    'tls keyfile': join(folder, 'key.pem'),
    'tls certfile': join(folder, 'cert.pem'),
    'tls cafile': '',
    logging: '',
  };
  const given = Object.entries(options).map(([name, value]) => `--option=${name}=${value}`);
  const args = ['-i', '-M', 'single', '--debug-stdout', '-d1', `--configfile=${settings}`, ...given];
  const running = followProcess(spawn(...boundToParent('samba', args), { stdio: ['pipe', 'pipe', 'pipe'] }));
  await running.until(/using 'single' process model/);
  return {
    url: `ldaps://${host}`,
    plainUrl: `ldap://${host}`,
    ca: cert,
    modify: (ldif) => ldb('ldbmodify', [], ldif),
    rename: (from, to) => ldb('ldbrename', [from, to]),
    async [Symbol.asyncDispose]() {
      await running.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
