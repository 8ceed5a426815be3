/** Asks CUPS how the job is called that a printer prints now: the connection to the printer does not carry the title. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { userInfo } from 'node:os';
import { buffer } from 'node:stream/consumers';

const timeoutMs = 2_000;
const defaultSocket = '/run/cups/cups.sock';

/** Tags and numbers of IPP (RFC 8010 and 8011). */
const getJobs = 0x000a;
const tag = { operation: 0x01, job: 0x02, end: 0x03, enum: 0x23, name: 0x42, keyword: 0x44, uri: 0x45 };
const [charset, language] = [0x47, 0x48];
/** Tags below begin a group. */
const firstValueTag = 0x10;
const processing = 5;

/** Empty if CUPS does not tell it. */
export async function readJobTitle(printer: string): Promise<string> {
  try {
    return titleIn(await ask(printer));
  } catch {
    return '';
  }
}

async function ask(printer: string): Promise<Buffer> {
  const server = process.env['CUPS_SERVER'] ?? defaultSocket;
  if (!server.startsWith('/')) return Buffer.alloc(0); // the printers of another machine
  const user = userInfo().username;
  const call = request({
    socketPath: server,
    method: 'POST',
    path: '/',
    // CUPS keeps titles from others, and knows from the socket who asks.
    headers: { Host: 'localhost', 'Content-Type': 'application/ipp', Authorization: `PeerCred ${user}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  call.end(encodeRequest(printer, user));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return buffer(response);
}

const attribute = (kind: number, name: string, value: string): Buffer =>
  Buffer.concat([Buffer.of(kind), ...[name, value].map(withLength)]);

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
}

const encodeRequest = (printer: string, user: string): Buffer =>
  Buffer.concat([
    Buffer.of(2, 0, getJobs >> 8, getJobs & 0xff, 0, 0, 0, 1, tag.operation),
    attribute(charset, 'attributes-charset', 'utf-8'),
    attribute(language, 'attributes-natural-language', 'en'),
    attribute(tag.uri, 'printer-uri', `ipp://localhost/printers/${printer}`),
    attribute(tag.name, 'requesting-user-name', user),
    attribute(tag.keyword, 'which-jobs', 'not-completed'),
    attribute(tag.keyword, 'requested-attributes', 'job-name'),
    attribute(tag.keyword, '', 'job-state'),
    Buffer.of(tag.end),
  ]);

/** The title of the job that is being printed. */
function titleIn(reply: Buffer): string {
  let job = { title: '', isPrinted: false };
  for (const { kind, name, value } of readAttributes(reply)) {
    if (kind === tag.job) job = { title: '', isPrinted: false };
    if (kind === tag.name && name === 'job-name') job.title = value.toString();
    if (kind === tag.enum && name === 'job-state') job.isPrinted = value.readInt32BE(0) === processing;
    if (job.isPrinted && job.title) return job.title;
  }
  return '';
}

/** A group begins with its tag alone. */
function* readAttributes(reply: Buffer): Generator<{ kind: number; name: string; value: Buffer }> {
  for (let at = 8; at < reply.length;) {
    const kind = reply.readUInt8(at);
    at += 1;
    if (kind === tag.end) return;
    const parts: Buffer[] = [];
    while (parts.length < (kind < firstValueTag ? 0 : 2)) {
      const length = reply.readUInt16BE(at);
      parts.push(reply.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    yield { kind, name: parts[0]?.toString() ?? '', value: parts[1] ?? Buffer.alloc(0) };
  }
}
