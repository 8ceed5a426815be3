/** Which cipher suites a listener accepts, tested with every suite that this OpenSSL knows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect, getCiphers } from 'node:tls';
import { createSelfSigned } from '../../tls/self-signed.ts';
import { ciphers } from './ciphers.ts';
import { openListener } from './listener.ts';

/** An RSA key and its certificate in one PEM text. */
const rsa = spawnSync(
  'openssl',
  ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-out', '-', '-subj', '/CN=localhost'],
  { encoding: 'utf8' },
);
const pairs = {
  ECDSA: await createSelfSigned(['localhost'], new Date()),
  RSA: { cert: rsa.stdout, key: rsa.stdout },
};

async function isAccepted(port: number, cipher: string): Promise<boolean> {
  // At the default security level the client itself would refuse most of the older suites.
  const offered = cipher.startsWith('TLS_')
    ? { ciphers: cipher, minVersion: 'TLSv1.3' as const }
    : { ciphers: `${cipher}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' as const };
  try {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...offered });
    await once(socket, 'secureConnect');
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}

for (const [kind, tls] of Object.entries(pairs))
  test(
    `with a certificate of ${kind} only suites with authenticated encryption are accepted`,
    { skip: tls.cert === '' && 'openssl is not installed' },
    async () => {
      const onRequest = (): void => {};
      const listener = await openListener({ host: '127.0.0.1', port: 0, tls, onRequest });
      await using _closed = { [Symbol.asyncDispose]: () => listener.close(0) };
      const known = getCiphers().map((name) => name.toUpperCase());
      const fit = ciphers
        .split(':')
        .filter((name) => !/^ECDHE-(RSA|ECDSA)/.test(name) || name.includes(kind));

      for (const renewed of [false, true]) {
        if (renewed) listener.setCertificate(tls.cert, tls.key);
        const accepted: string[] = [];
        for (const name of known) if (await isAccepted(listener.address.port, name)) accepted.push(name);
        assert.deepEqual(accepted.toSorted(), fit.toSorted());
      }
      assert.ok(known.includes('ECDHE-RSA-AES128-SHA'), 'old suites were tried as well');
    },
  );
