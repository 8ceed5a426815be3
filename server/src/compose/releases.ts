/** Which release of the agent a server offers: the one in the object storage, or a newer one in its own folder. */
import { isNewerVersion } from '@drawbridge/contract/uplink/release';
import { readRelease, toRelease, type AvailableRelease } from '../public-pages/downloads/release-manifest.ts';
import { agentFileKey, agentFilesAccount, type AgentFileStore } from '../store/blobs/agent-file-store.ts';

export interface Releases {
  /** Undefined if there are no agent files. */
  current(): Promise<AvailableRelease | undefined>;
}

/** What describes a release in the object storage: the two texts that are files in a folder. */
interface PublishedRelease {
  manifest: string;
  signed?: string | undefined;
}

export const describeRelease = (release: PublishedRelease): string => JSON.stringify(release);

export async function readStoredRelease(store: AgentFileStore): Promise<AvailableRelease | undefined> {
  const text = await store.published();
  if (text === undefined) return undefined;
  const { manifest, signed } = JSON.parse(text) as PublishedRelease;
  return toRelease({
    manifest,
    signed: async () => signed,
    open: ({ sha256, size }) => store.files.open(agentFilesAccount, agentFileKey(sha256), size),
  });
}

/** How long a server may offer the release before, and how often it asks the storage at most. */
const refreshAfterMs = 10_000;

/**
 * What the storage said last is offered while it is asked again, so a storage that does not respond delays nothing but
 * the files themselves.
 */
export async function openReleases(
  folder: string | undefined,
  store: AgentFileStore | undefined,
): Promise<Releases> {
  if (!store) return { current: () => readRelease(folder) };
  let stored = await readStoredRelease(store);
  let refreshAt = performance.now() + refreshAfterMs;
  let isReading = false;
  const refresh = async (): Promise<void> => {
    if (isReading || performance.now() < refreshAt) return;
    isReading = true;
    try {
      stored = await readStoredRelease(store);
    } catch {
      // The storage is away: the files, which are needed next, say so.
    }
    isReading = false;
    refreshAt = performance.now() + refreshAfterMs;
  };
  return {
    async current() {
      void refresh();
      const own = await readRelease(folder);
      return stored && !(own && isNewerVersion(own.version, stored.version)) ? stored : own;
    },
  };
}
