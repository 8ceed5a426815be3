/** Copies the agent files of the folder `downloads` into the object storage, or back. Each copy is whole or absent. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ReleaseFile } from '@drawbridge/contract/uplink/release';
import { describeRelease, readStoredRelease } from '../../compose/releases.ts';
import { StartRefused } from '../../compose/start-refused.ts';
import {
  checksumsText,
  manifestName,
  readRelease,
  signedReleaseName,
  type AvailableRelease,
} from '../../public-pages/downloads/release-manifest.ts';
import { agentFileKey, agentFilesAccount, type AgentFileStore } from '../../store/blobs/agent-file-store.ts';

/** Told of each file: its size if it was copied, undefined if it was there already. */
export type OnFile = (copiedBytes: number | undefined) => void;

/** The description follows its files. Those of the release that it replaces stay, because devices may be downloading them. */
export async function publishAgentFiles(
  folder: string,
  store: AgentFileStore,
  onFile: OnFile,
): Promise<void> {
  const release = await readRelease(folder);
  if (!release) return;
  for (const file of release.files) onFile(await uploadFile(release, file, store));
  const before = await readStoredRelease(store);
  const { manifest, signed } = release;
  await store.publish(describeRelease({ manifest, signed: await signed() }));
  const used = [...release.files, ...(before?.files ?? [])].map(({ sha256 }) => agentFileKey(sha256));
  for await (const keys of store.files.keys(agentFilesAccount))
    for (const key of keys) if (!used.includes(key)) await store.files.remove(agentFilesAccount, key);
}

async function uploadFile(
  release: AvailableRelease,
  file: ReleaseFile,
  { files }: AgentFileStore,
): Promise<number | undefined> {
  const key = agentFileKey(file.sha256);
  if ((await files.sizeOf(agentFilesAccount, key)) === file.size) return undefined;
  if ((await digestOf(await readFileOf(release, file))) !== file.sha256) throw refusal(file);
  await files.putCopy(agentFilesAccount, key, await readFileOf(release, file));
  return file.size;
}

async function readFileOf(release: AvailableRelease, file: ReleaseFile): Promise<Readable> {
  const opened = await release.open(file);
  if (!opened) throw refusal(file);
  return opened.read(0, file.size - 1);
}

const refusal = ({ name }: ReleaseFile): StartRefused =>
  new StartRefused(`The agent file ${name} is missing, or is not the one that its manifest describes.`);

/** The manifest is written last, so that every file it lists exists. */
export async function fetchAgentFiles(folder: string, store: AgentFileStore, onFile: OnFile): Promise<void> {
  const release = await readStoredRelease(store);
  if (!release) return;
  await mkdir(folder, { recursive: true });
  for (const file of release.files) onFile(await downloadFile(release, file, join(folder, file.name)));
  const signed = await release.signed();
  await replaceFile(join(folder, 'SHA256SUMS'), checksumsText(release));
  if (signed !== undefined) await replaceFile(join(folder, signedReleaseName), signed);
  await replaceFile(join(folder, manifestName), release.manifest);
}

async function downloadFile(
  release: AvailableRelease,
  file: ReleaseFile,
  path: string,
): Promise<number | undefined> {
  if ((await digestOfFile(path)) === file.sha256) return undefined;
  await replaceFile(path, await readFileOf(release, file), async (part) => {
    if ((await digestOfFile(part)) !== file.sha256) throw refusal(file);
  });
  return file.size;
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest('hex');
}

/** Undefined if there is no such file. */
const digestOfFile = (path: string): Promise<string | undefined> =>
  digestOf(createReadStream(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

async function replaceFile(
  path: string,
  content: string | Readable,
  verify: (part: string) => Promise<void> = async () => {},
): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, content, { flush: true });
  await verify(part);
  await rename(part, path);
}
