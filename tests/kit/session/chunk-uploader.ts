/** A device that uploads the chunks of a recording to the server, correctly or wrongly. */
import { chunkHeaders } from '@drawbridge/contract/session/recording';
import type { Grant } from '@drawbridge/contract/session/signed';
import { createChunkSeal } from '@drawbridge/agent/session/recording/seal';
import type { PlainResponse } from '../server/test-client.ts';
import type { TestService } from '../server/service.ts';

interface Upload {
  /** Another number than the next one. */
  number?: number;
  token?: string;
  last?: boolean;
  headers?: Record<string, string>;
  /** Other bytes than the encrypted ones. */
  body?: Buffer;
  path?: string;
}

export interface Uploader {
  /** Encrypts and sends the next chunk. */
  send(content: string, upload?: Upload): Promise<PlainResponse>;
  /** Sends the same chunk again. */
  again(upload?: Upload): Promise<PlainResponse>;
  key: string;
}

export function createChunkUploader(
  { testClient }: Pick<TestService, 'testClient'>,
  { session, record }: Grant,
): Uploader {
  const { url, token, key } = record!;
  const seal = createChunkSeal(session, key);
  const path = new URL(url).pathname;
  let next = 0;
  let sent: { number: number; body: Buffer; last: boolean };
  const post = (upload: Upload = {}): Promise<PlainResponse> =>
    testClient.send({
      method: 'POST',
      path: `${upload.path ?? path}/${upload.number ?? sent.number}`,
      headers: {
        Authorization: `Bearer ${upload.token ?? token}`,
        'Content-Type': 'application/octet-stream',
        [chunkHeaders.key]: seal.publicKey,
        [chunkHeaders.from]: String(sent.number * 5_000),
        [chunkHeaders.to]: String(sent.number * 5_000 + 4_000),
        [chunkHeaders.whole]: sent.number === 0 ? '1' : '0',
        [chunkHeaders.last]: (upload.last ?? sent.last) ? '1' : '0',
        ...upload.headers,
      },
      body: upload.body ?? sent.body,
    });
  return {
    key: seal.publicKey,
    async send(content, upload = {}) {
      const last = upload.last ?? false;
      sent = { number: next, body: seal.close(Buffer.from(content), last), last };
      next += 1;
      return post(upload);
    },
    again: (upload) => post(upload),
  };
}
