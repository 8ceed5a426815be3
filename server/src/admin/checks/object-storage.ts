/** Checks that objects can be stored, read, listed and removed in the object storage of the settings. */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../store/engine/database.ts';
import { openBucket, type ObjectBucket } from '../../store/blobs/object-bucket.ts';
import { errorText } from '../store-access.ts';
import { ok, problem } from './finding.ts';

const name = 'object storage';

export async function objectStorageChecks({ objectStorage }: Config): Promise<Finding[]> {
  if (!objectStorage) return [];
  const { endpoint, bucket, prefix } = objectStorage;
  const where = `${endpoint}/${bucket}/${prefix}`;
  try {
    await tryObject(openBucket(objectStorage), `${prefix}doctor-${randomBytes(8).toString('hex')}`);
    return [ok(name, `Objects can be stored, read, listed and removed in ${where}.`)];
  } catch (error) {
    return [problem(name, `${errorText(error)}: check DRAWBRIDGE_OBJECT_STORAGE and the rights of its key.`)];
  }
}

async function tryObject(bucket: ObjectBucket, probe: string): Promise<void> {
  await bucket.put(probe, Buffer.from('drawbridge'));
  const read = await bucket.read(probe, 0, 9);
  const text = read && Buffer.concat(await Array.fromAsync(read)).toString();
  const listed = await bucket.list(probe, '', 1);
  await bucket.remove(probe);
  if (text !== 'drawbridge') throw new Error('What was stored could not be read again');
  if (listed[0]?.name !== probe) throw new Error('What was stored is not listed');
}
