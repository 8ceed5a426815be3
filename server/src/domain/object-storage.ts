/** The address of a bucket of an S3-compatible object storage, as the settings have it. */

export interface ObjectStorageAddress {
  /** Without credentials, and without a slash at the end. */
  endpoint: string;
  bucket: string;
  /** Begins the name of each object; empty or with a slash at its end. */
  prefix: string;
  region: string;
  keyId: string;
  /** Never log it. */
  secret: string;
  /** The header x-amz-server-side-encryption of stored objects; undefined to leave it to the bucket. */
  encryption: string | undefined;
}

const parameters: Readonly<Record<string, RegExp>> = {
  region: /^[a-z0-9-]{1,40}$/,
  encryption: /^(?:AES256|aws:kms)$/,
};
const pathPattern = /^\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._-]+)*\/?$/;

/** Undefined for anything but https://KEY_ID:SECRET@HOST/BUCKET/PREFIX?region=…&encryption=… */
export function toObjectStorage(text: string): ObjectStorageAddress | undefined {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, searchParams, hash, username, password } = new URL(text);
  const hasCredentials = [username, password].every((part) => part !== '' && !/%(?![0-9a-f]{2})/i.test(part));
  const hasOnlyKnown = [...searchParams].every(([name, value]) => parameters[name]?.test(value));
  if (!hasCredentials || !hasOnlyKnown || !pathPattern.test(pathname) || hash !== '') return undefined;
  const [bucket, ...folders] = pathname.split('/').filter(Boolean);
  return {
    endpoint: `${protocol}//${host}`,
    bucket: bucket!,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    region: searchParams.get('region') ?? 'us-east-1',
    keyId: decodeURIComponent(username),
    secret: decodeURIComponent(password),
    encryption: searchParams.get('encryption') ?? undefined,
  };
}
