/** The settings of where attached files, recordings, pictures and agent files are stored, and for how long. */
import { toObjectStorage } from '../domain/object-storage.ts';
import { setting, toPath, wholeNumber } from './setting.ts';

export const storageSettings = {
  object_storage: setting(toObjectStorage, {
    says: 'Bucket of an S3-compatible object storage for attached files and recordings, instead of the folders, for the pictures of brands, instead of the database, and for agent files that were copied there. Several servers on one PostgreSQL must have the same.',
    accepts:
      'https://KEY_ID:SECRET@HOST/BUCKET, which may continue with /PREFIX, ?region=… and &encryption=AES256 or aws:kms, with special characters in the secret percent-encoded',
    default: '',
    absent: 'the folders below',
    secret: true,
  }),
  files: setting(toPath, {
    says: 'Folder for the files attached to devices. Several servers on one PostgreSQL must share it, unless they have an object storage.',
    accepts: 'the path of a folder',
    default: '',
    absent: 'the folder `files` in the data folder',
  }),
  file_limit_mb: setting(wholeNumber(1, 10_000), {
    says: 'The largest file that can be attached to a device, in MB.',
    accepts: 'a whole number from 1 to 10000',
    default: '100',
  }),
  recordings: setting(toPath, {
    says: 'Folder for the recordings of sessions. Several servers on one PostgreSQL must share it, unless they have an object storage.',
    accepts: 'the path of a folder',
    default: '',
    absent: 'the folder `recordings` in the data folder',
  }),
  recording_days: setting(wholeNumber(0, 36_500), {
    says: 'Number of days after which recordings are removed; 0 keeps them forever.',
    accepts: 'a whole number from 0 to 36500',
    default: '90',
  }),
};
