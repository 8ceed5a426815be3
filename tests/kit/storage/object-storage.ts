/** A real S3-compatible object storage as a separate program on a free port, which keeps its objects in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram, type Program } from '../process.ts';

export interface TestObjectStorage extends AsyncDisposable {
  /** A value of DRAWBRIDGE_OBJECT_STORAGE; objects of different prefixes do not meet. */
  urlOf(prefix: string, keyId?: string): string;
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/** The storage encrypts the marks of long lists with a cipher that OpenSSL counts as legacy. */
const env = { NODE_OPTIONS: '--openssl-legacy-provider' };

export async function startObjectStorage(): Promise<TestObjectStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-s3-'));
  const open = async (port: string): Promise<[Program, string]> => {
    const where = ['--directory', folder, '--address', '127.0.0.1', '--port', port];
    const args = [...where, '--silent', '--configure-bucket', 'bucket'];
    const started = startProgram('node_modules/s3rver/bin/s3rver.js', args, env);
    const [, bound] = await started.until(/listening on 127\.0\.0\.1:(\d+)/);
    return [started, bound!];
  };
  let [program, port] = await open('0');
  return {
    urlOf: (prefix, keyId = 'S3RVER') => `http://${keyId}:S3RVER@127.0.0.1:${port}/bucket/${prefix}`,
    stop: async () => void (await program.end('SIGKILL')),
    async start() {
      [program, port] = await open(port);
    },
    async [Symbol.asyncDispose]() {
      await program.end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
