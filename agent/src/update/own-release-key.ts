/** The public release key that the build puts into the single file. */
import { getAsset, isSea } from 'node:sea';

export const releaseKeyAsset = 'release-key';

/** Undefined when the agent runs from source: it then has no file that could be updated. */
export const ownReleaseKey = (): string | undefined =>
  isSea() ? getAsset(releaseKeyAsset, 'utf8') : undefined;
