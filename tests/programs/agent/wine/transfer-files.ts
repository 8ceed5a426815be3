/** Uploads, resumes, reads, moves and removes files on Windows, and tries what must be refused. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Platform } from '@drawbridge/agent/platform/platform';

/** The message of the error with which the work ends. */
export const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

/** Uses files as the operator's console does. */
export async function transferFiles(platform: Platform) {
  mkdirSync('C:\\files\\sub\\deep', { recursive: true });
  writeFileSync('C:\\files\\one.txt', 'hello');
  writeFileSync('C:\\files\\sub\\deep\\two.txt', 'there');
  const files = await platform.files();
  const data = Buffer.alloc(300_000, 'content ');
  const sha256 = createHash('sha256').update(data).digest('hex');
  const upload = { path: '/C:/files/up.bin', size: data.length, time: 1_700_000_000, replace: false };
  const first = await files.create(upload);
  await first.write(0, data.subarray(0, 100_000));
  await first.close();
  const second = await files.create(upload);
  const resumedAt = second.from;
  await second.write(resumedAt, data.subarray(resumedAt));
  await second.finish(sha256);
  const file = await files.open('/C:/files/up.bin');
  const read = await file.read(0, data.length);
  await file.close();
  await files.rename('/C:/files/one.txt', '/C:/files/sub/renamed.txt');
  const listed = (await files.list('/C:/files/sub')).entries.map(({ name, kind }) => [name, kind]);
  const refusals = {
    taken: await messageOf(files.create(upload)),
    device: await messageOf(files.open('/C:/files/con')),
    stream: await messageOf(files.open('/C:/files/up.bin:stream')),
    above: await messageOf(files.list('/C:/files/../windows')),
    missing: await messageOf(files.open('/C:/files/none')),
    onto: await messageOf(files.rename('/C:/files/up.bin', '/C:/files/sub/renamed.txt')),
  };
  await files.remove('/C:/files/sub');
  const left = (await files.list('/C:/files')).entries.map(({ name, size, time }) => ({ name, size, time }));
  return {
    roots: (await files.list('/')).entries.map(({ name }) => name),
    resumedAt,
    isEqual: Buffer.from(read).equals(data) && readFileSync('C:\\files\\up.bin').equals(data),
    listed,
    refusals,
    left,
  };
}
