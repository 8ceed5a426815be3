/** Notices that certificate and key were replaced on disk, and hands them on once they fit together. */
import { type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pairProblem } from './certificate.ts';
import type { KeyPair } from './self-signed.ts';

export interface CertificateWatch {
  /** Reads both files now, changed or not. */
  reload(): Promise<void>;
  close(): void;
}

interface Listeners {
  onChange(pair: KeyPair): void;
  /** The files are there but cannot be used: what was served before goes on being served. */
  onError(error: Error): void;
  everyMs?: number;
}

/** Asks for the files' times and sizes rather than for events: those are lost on network disks and replaced links. */
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
    // Two files are not replaced in one moment: they count once both have rested for one look.
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
