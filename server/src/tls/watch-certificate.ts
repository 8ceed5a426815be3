/** Detects that certificate and key were replaced on disk, and reports them once they match. */
import { type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pairProblem } from './certificate.ts';
import type { KeyPair } from './self-signed.ts';

export interface CertificateWatch {
  /** Reads both files now, even if they have not changed. */
  reload(): Promise<void>;
  close(): void;
}

interface Listeners {
  onChange(pair: KeyPair): void;
  /** Called when the files cannot be used. The certificate before stays in use. */
  onError(error: Error): void;
  everyMs?: number;
}

/** Polls the times and sizes of the files, because file events are lost on network file systems and replaced symlinks. */
export function watchCertificate(certFile: string, keyFile: string, listeners: Listeners): CertificateWatch {
  const { onChange, onError, everyMs = 2_000 } = listeners;
  let known = signature(certFile, keyFile);
  let seen = known;

  const reload = async (): Promise<void> => {
    try {
      const pair = await read(certFile, keyFile);
      const problem = pairProblem(pair);
      if (problem === undefined) onChange(pair);
      else onError(new Error(problem));
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const check = (): void => {
    const now = signature(certFile, keyFile);
    // The two files are not replaced at the same moment, so a change counts once both stayed the same for one interval.
    const settled = now === seen;
    seen = now;
    if (!settled || now === known) return;
    known = now;
    void reload();
  };

  const timer = setInterval(check, everyMs).unref();
  return { reload, close: () => clearInterval(timer) };
}

async function read(certFile: string, keyFile: string): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { cert, key };
}

function signature(...files: string[]): string {
  return files
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map(toText)
    .join(', ');
}

function toText(stats: Stats | undefined): string {
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : 'absent';
}
