/** The agent files of a release in an object storage: a blob for each file, and one object that describes them. */
import type { CopyableBlobStore } from './blob-bytes.ts';
import type { ObjectBucket } from './object-bucket.ts';
import { readText } from './object-blob-store.ts';

export interface AgentFileStore {
  /** The files of this release, and those of the one before while devices may still download them. */
  files: CopyableBlobStore;
  /** What was published last; undefined before that. */
  published(): Promise<string | undefined>;
  /** Replaces the description. It must name files that are stored already. */
  publish(description: string): Promise<void>;
}

/** Agent files belong to no account. */
export const agentFilesAccount = 0;

/** Files are named by their content, so files of two releases do not replace each other. */
export const agentFileKey = (sha256: string): string => `${sha256}-${sha256.slice(0, 16)}`;

const descriptionName = 'published.json';
/** Longer than any description: a foreign object is not read whole. */
const descriptionBytes = 262_144;

export function createAgentFileStore(
  bucket: ObjectBucket,
  prefix: string,
  files: CopyableBlobStore,
): AgentFileStore {
  const name = prefix + descriptionName;
  return {
    files,
    published: () => readText(bucket, name, descriptionBytes),
    publish: (description) => bucket.put(name, Buffer.from(description)),
  };
}
