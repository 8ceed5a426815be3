/**
 * Requests that are wrong as HTTP. Each is complete: at its end a reader knows that it is wrong, or what it
 * asks for.
 */
import type { SeededRandom } from './seeded-random.ts';

const list = 'GET /v1/groups/list HTTP/1.1\r\nHost: localhost\r\n';
const create = 'POST /v1/groups/create HTTP/1.1\r\nHost: localhost\r\n';

/** With the key of a member who may do all this, so that nothing is refused for lack of permission. */
export const rawRequests: readonly ((key: string) => string)[] = [
  () => '\r\n\r\n\r\n\r\n',
  () => 'GET\r\n\r\n',
  () => 'GET /\r\n\r\n',
  () => 'GET / HTTP/9.9\r\n\r\n',
  () => 'GET  /  HTTP/1.1\r\nHost: localhost\r\n\r\n',
  () => 'get /v1/groups/list HTTP/1.1\r\nHost: localhost\r\n\r\n',
  () => 'BREW /v1/groups/list HTTP/1.1\r\nHost: localhost\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
  () => 'TRACE /v1/groups/list HTTP/1.1\r\nHost: localhost\r\n\r\n',
  () => 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  (key) => `GET https://localhost/v1/groups/list HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `GET http://evil.example/v1/groups/list HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `GET /v1/groups/list HTTP/1.0\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `GET /v1/groups/list HTTP/1.1\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `GET /v1/groups/list HTTP/1.1\nHost: localhost\nX-Api-Key: ${key}\n\n`,
  (key) => `${list}Host: other\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `${list}X-Api-Key: ${key}\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `${list}X-Api-Key: ${key}\r\n folded\r\n\r\n`,
  (key) => `${list}X-Api-Key : ${key}\r\n\r\n`,
  (key) => `${list}X-Api-Key: ${key}\0\r\n\r\n`,
  () => `${list}: nameless\r\n\r\n`,
  () => `${list}no colon\r\n\r\n`,
  () => `${list}X\u00e9: \u00ff\u0080\r\n\r\n`,
  () => `${list}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
  () => `${list}${Array.from({ length: 2_500 }, (_, at) => `X-${at}: x\r\n`).join('')}\r\n`,
  (key) =>
    `GET /v1/agents/list?search=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}\r`,
  (key) => `${create}X-Api-Key: ${key}\r\nContent-Length: -1\r\n\r\n{}`,
  (key) => `${create}X-Api-Key: ${key}\r\nContent-Length: 2x\r\n\r\n{}`,
  (key) => `${create}X-Api-Key: ${key}\r\nContent-Length: 99999999999999999999\r\n\r\n{}`,
  (key) => `${create}X-Api-Key: ${key}\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`,
  (key) => `${create}X-Api-Key: ${key}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  (key) =>
    `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  (key) =>
    `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  (key) =>
    `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Api-Key: x\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
  (key) => `${create}X-Api-Key: ${key}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  (key) => `${create}X-Api-Key: ${key}\r\nConnection: close\r\nContent-Length: 20\r\n\r\n{"name":`,
  (key) => `${list}X-Api-Key: ${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  (key) => `${list}X-Api-Key: ${key}\r\n\r\n${list}X-Api-Key: ${key}\r\n\r\nGARBAGE`,
];

/** Corrupted bytes: one of the requests above with some of its bytes changed, doubled or lost. */
export function mutate(bytes: Buffer, random: SeededRandom): Buffer {
  const parts = [bytes];
  for (let times = random.whole(1, 4); times > 0; times -= 1) {
    const all = Buffer.concat(parts.splice(0));
    const at = random.whole(0, Math.max(0, all.length - 1));
    const end = Math.min(all.length, at + random.whole(1, 8));
    const middle = random.pick([
      Buffer.from([random.whole(0, 255)]),
      Buffer.concat([all.subarray(at, end), all.subarray(at, end)]),
      Buffer.alloc(0),
    ]);
    parts.push(all.subarray(0, at), middle, all.subarray(end));
  }
  return Buffer.concat(parts);
}
