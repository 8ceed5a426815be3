/** Downloads a release over HTTPS. What arrives is trusted because of the release key and the hash, whatever the certificate. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat, truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { maxReleaseBytes, releasePath, type ReleaseFile } from '@drawbridge/contract/uplink/release';
import { NotPossible } from '../platform/platform.ts';

export interface ReleaseServer {
  url: string;
  /** Connects through a proxy. */
  agent?: RequestOptions['agent'];
  /** Ends a download. */
  signal?: AbortSignal;
}

/** A server that sends nothing for this time is given up. */
const silenceTimeoutMs = 60_000;

function get(
  { url, agent, signal }: ReleaseServer,
  path: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(new URL(path, url), { agent, signal, headers, rejectUnauthorized: false });
  sent.setTimeout(silenceTimeoutMs, () => sent.destroy(new Error('the server stopped responding')));
  sent.once('response', resolve).once('error', reject).end();
  return promise;
}

/** The signed release of the server, as text. */
export async function fetchRelease(server: ReleaseServer): Promise<string> {
  const response = await get(server, releasePath, {});
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`The server offers no release: it answered ${response.statusCode}.`);
  }
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > maxReleaseBytes) throw new NotPossible('The release of the server is too long.');
  }
  return text;
}

/** What is on disk of a file that is being downloaded. */
interface Part {
  size: number;
  hash: Hash;
}

/**
 * Downloads into the file `path`, or continues an interrupted download. Never reads more than the size in the manifest.
 * Throws `NotPossible` if the file is wrong, and any other error if it may be downloaded later.
 */
export async function downloadProgram(server: ReleaseServer, file: ReleaseFile, path: string): Promise<void> {
  let part = await readPart(path, file.size);
  if (part.size < file.size) {
    const response = await get(server, `/download/${file.name}`, rangeOf(part, file));
    const isRest = response.statusCode === 206 && part.size > 0;
    if (!isRest && response.statusCode !== 200) {
      response.destroy();
      throw new Error(`The file cannot be downloaded: the server answered ${response.statusCode}.`);
    }
    if (!isRest) part = { size: 0, hash: createHash('sha256') };
    await append(response, file, path, part);
  }
  if (part.hash.digest('hex') === file.sha256) return;
  await rm(path, { force: true });
  throw new NotPossible('The downloaded file is not the one that was signed.');
}

const rangeOf = ({ size }: Part, { sha256 }: ReleaseFile): Record<string, string> =>
  size > 0 ? { Range: `bytes=${size}-`, 'If-Range': `"${sha256}"` } : {};

async function readPart(path: string, maxSize: number): Promise<Part> {
  const hash = createHash('sha256');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0 || size > maxSize) {
    await rm(path, { force: true });
    return { size: 0, hash };
  }
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { size, hash };
}

async function append(response: IncomingMessage, file: ReleaseFile, path: string, part: Part): Promise<void> {
  await using handle = await open(path, 'a', 0o700);
  await truncate(path, part.size);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    part.size += chunk.length;
    if (part.size > file.size) throw new NotPossible('The server sends more bytes than were signed.');
    part.hash.update(chunk);
    await handle.writeFile(chunk);
  }
  await handle.sync();
  if (part.size < file.size)
    throw new Error('The download was interrupted. It continues at the next attempt.');
}
