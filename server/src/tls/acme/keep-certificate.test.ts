/** When a certificate is ordered again after a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { resumeAttempt, writeAttempt, type AcmeAttempt } from './acme-files.ts';
import { createChallenges } from './challenges.ts';
import { keepCertificate } from './keep-certificate.ts';

const hour = 3_600_000;

test(
  'a restart shortens the wait also if the time for restarts is still ahead, and failures go on counting',
  { timeout: 30_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-acme-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const directory = 'https://127.0.0.1:1/directory'; // nobody answers there
    const domains = ['help.example.com'];
    const restartAt = Date.now() + 300;
    const before = { directory, domains, failures: 9, restartAt, error: 'No way in.' };
    await writeAttempt(folder, { ...before, retryAt: Date.now() + 12 * hour });
    const failed = Promise.withResolvers<AcmeAttempt>();
    const stop = keepCertificate({
      authority: { directory, email: undefined, ca: undefined, external: undefined },
      domains,
      type: 'tls-alpn-01',
      folder,
      challenges: createChallenges(),
      last: await resumeAttempt(folder),
      onIssued: () => failed.reject(new Error('nobody can have issued one')),
      onFailed: failed.resolve,
    });
    context.after(stop);

    const { failures, retryAt } = await failed.promise;

    assert.ok(Date.now() >= restartAt);
    assert.equal(failures, 10);
    assert.ok(retryAt > Date.now() + 11 * hour);
  },
);
