/** Tests how the address of an object storage is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toObjectStorage } from './object-storage.ts';

test('an address has credentials, a bucket, and optionally a prefix, a region and encryption', () => {
  const text =
    'https://AKIA:a%2Fb%2Bc@s3.example.com:9000/our-bucket/drawbridge/one?region=eu-central-1&encryption=AES256';

  assert.deepEqual(toObjectStorage(text), {
    endpoint: 'https://s3.example.com:9000',
    bucket: 'our-bucket',
    prefix: 'drawbridge/one/',
    region: 'eu-central-1',
    keyId: 'AKIA',
    secret: 'a/b+c',
    encryption: 'AES256',
  });
  const { prefix, region, encryption } = toObjectStorage('http://a:b@127.0.0.1:9000/bucket/')!;
  assert.deepEqual([prefix, region, encryption], ['', 'us-east-1', undefined]);
});

test('anything else is refused', () => {
  const wrong = [
    's3://a:b@host/bucket',
    'https://host/bucket',
    'https://a@host/bucket',
    'https://a:b@host/',
    'https://a:b@host/Bucket',
    'https://a:b%2@host/bucket',
    'https://a:b@host/bucket?zone=1',
    'https://a:b@host/bucket?encryption=none',
    'https://a:b@host/bucket#x',
    'https://a:b@host/bucket/a b',
  ];

  assert.deepEqual(
    wrong.filter((text) => toObjectStorage(text)),
    [],
  );
});
