/** Checks that the server can read the pictures of brands that are in an object storage. */
import type { Config } from '../../config/config.ts';
import type { Finding, InspectedDatabase } from '../../store/engine/database.ts';
import { brandReads } from '../../store/people/brands.ts';
import { countText } from '../backup.ts';
import { problem } from './finding.ts';

export const pictureChecks = async (
  found: InspectedDatabase,
  { objectStorage }: Config,
): Promise<Finding[]> => {
  if (objectStorage) return [];
  const accounts = await found.snapshot((db) => brandReads(() => db).onlyStored());
  if (accounts.length === 0) return [];
  return [
    problem(
      'pictures',
      `The pictures of ${countText(accounts.length, 'brand')} are in an object storage and cannot be shown: set DRAWBRIDGE_OBJECT_STORAGE, or copy them back with drawbridge storage copy --to folders.`,
    ),
  ];
};
