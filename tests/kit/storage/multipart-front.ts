/** Stands before the object storage of tests and adds what it lacks: listing and removing unfinished uploads, as S3 does. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface UnfinishedUpload {
  name: string;
  initiated: Date;
}

export interface MultipartFront extends AsyncDisposable {
  /** The same address of the storage, through this front. */
  through(url: string): string;
  /** What is unfinished, by its id. */
  uploads: Map<string, UnfinishedUpload>;
}

const uploadXml = ([id, { name, initiated }]: [string, UnfinishedUpload]): string =>
  `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`;

const listXml = (uploads: [string, UnfinishedUpload][]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><Bucket>bucket</Bucket><IsTruncated>false</IsTruncated>${uploads.map(uploadXml).join('')}</ListMultipartUploadsResult>`;

/** Passes a request on, and returns the text of the answer. */
async function passOn(incoming: IncomingMessage, outgoing: ServerResponse, port: string): Promise<string> {
  const { method, url, headers } = incoming;
  const passed = request({ host: '127.0.0.1', port, method, path: url, headers });
  incoming.pipe(passed);
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray());
  outgoing.writeHead(answer.statusCode!, answer.headers).end(body);
  return body.toString();
}

export async function openMultipartFront(storageUrl: string): Promise<MultipartFront> {
  const uploads: MultipartFront['uploads'] = new Map();
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(incoming.url!, 'http://front');
    const [name, id] = [pathname.replace(/^\/bucket\//, ''), searchParams.get('uploadId') ?? ''];
    if (incoming.method === 'GET' && searchParams.has('uploads')) {
      const prefix = searchParams.get('prefix') ?? '';
      outgoing.end(listXml([...uploads].filter(([, upload]) => upload.name.startsWith(prefix))));
    } else if (incoming.method === 'DELETE' && id !== '') {
      outgoing.writeHead(uploads.delete(id) ? 204 : 404).end();
    } else {
      const text = await passOn(incoming, outgoing, new URL(storageUrl).port);
      const [, begun] = /<UploadId>(\w+)<\/UploadId>/.exec(text) ?? [];
      if (begun !== undefined) uploads.set(begun, { name, initiated: new Date() });
      if (incoming.method === 'POST' && id !== '') uploads.delete(id);
    }
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    uploads,
    through: (url) => url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
