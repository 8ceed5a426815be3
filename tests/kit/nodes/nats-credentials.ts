/** An operator of NATS with one account: the configuration of a server that trusts it, and the credentials files of its users. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

export interface NatsOperator {
  /** The configuration file. */
  config: string;
  /** Writes the credentials of a new user, who may publish and subscribe to these subjects. */
  credentialsFor(name: string, subjects: readonly string[]): string;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A statement about the holder of a key, signed with the key of who stands above it. */
function sign(by: KeyPair, about: KeyPair, name: string, claims: object): string {
  const body = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    iss: by.getPublicKey(),
    sub: about.getPublicKey(),
    name,
    nats: { version: 2, ...claims },
  };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(body)}`;
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
}

const unlimitedUse = { subs: -1, data: -1, payload: -1 };
const unlimited = { ...unlimitedUse, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };

const credentialsText = (token: string, user: KeyPair): string =>
  [
    '-----BEGIN NATS USER JWT-----',
    token,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    Buffer.from(user.getSeed()).toString(),
    '------END USER NKEY SEED------',
    '',
  ].join('\n');

export function createNatsOperator(folder: string): NatsOperator {
  const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()];
  const accountToken = sign(operator, account, 'drawbridge', { type: 'account', limits: unlimited });
  const config = join(folder, 'operator.conf');
  const trusted = {
    operator: sign(operator, operator, 'operator', { type: 'operator' }),
    resolver: 'MEMORY',
    resolver_preload: { [account.getPublicKey()]: accountToken },
  };
  writeFileSync(config, JSON.stringify(trusted));
  return {
    config,
    credentialsFor(name, subjects) {
      const user = nkeys.createUser();
      const rights = { pub: { allow: subjects }, sub: { allow: subjects }, ...unlimitedUse };
      const file = join(folder, `${name}.creds`);
      writeFileSync(file, credentialsText(sign(account, user, name, { type: 'user', ...rights }), user));
      return file;
    },
  };
}
