/** Values that break programs: numbers, texts, JSON and headers that have caused trouble before. */
import { gzipSync } from 'node:zlib';

const long = (length: number): string => 'x'.repeat(length);
const words = (text: string): string[] => text.trim().split(/[ \n]+/);

/** As they are written in JSON: much of this no program could produce by itself. */
export const jsonNumbers = [
  ...words('0 -0 -1 1.0 1.5 1e2 1E+2 1e-2 1e400 -1e400 1e-400 01 +1 .5 1. 0x10 NaN Infinity -Infinity 1_000'),
  ...words('2147483648 4294967296 9007199254740991 9007199254740992 9007199254740993 -9007199254740993'),
  ...words('18446744073709551616 7.00000000000000000001'),
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
];

export const queryNumbers = [
  ...words('0 -1 -0 +1 1.0 1e2 0x10 01 1%20 %201 %31 １ ٣ NaN Infinity 1,2 [1] 1;2 null undefined true'),
  ...words(`9007199254740992 9007199254740993 18446744073709551616 1%00 %001 1' 1" 1) 1-- 1/*`),
  ` 1`,
  '1 ',
  '',
  `1${'0'.repeat(400)}`,
];

/** Control characters, unusual spaces, lone surrogates, letters that fold or join in unusual ways. */
const letters = [
  ...words('\0 a\0b \u0007 \u001b[2J \u007f \u0085 \u00a0 \u200b \u202e \ufeff'),
  ...words('\ud800 \udc00 a\udfff \u{1f468}\u200d\u{1f469}\u200d\u{1f467} e\u0301 ﬅ ı ẞ Ǆ İ'),
];

/** Special characters of SQL, HTML, templates, shells, file systems and JavaScript. */
const syntax = [
  ...words(`% _ \\ %_% \\% ' " \` $1 {{7*7}} \${7*7} #{7*7} %s%s%n \`id\` ../../etc/passwd ..\\..\\win.ini`),
  ...words('/dev/null C:\\CON file:///etc/passwd http://127.0.0.1/ //x <script>alert(1)</script>'),
  ...words('__proto__ constructor prototype toString hasOwnProperty valueOf then length NaN null undefined'),
  `' or 1=1 --`,
  `'; drop table agent; --`,
  `") or ("1"="1`,
  '"><img src=x onerror=alert(1)>',
];

const addresses = [
  ...words('a@b a@b@c @ a@ ANN@EXAMPLE.COM ann@exämple.com'),
  'ann@example.com\nbcc: x@y',
  '"a b"@c.d',
];

export const oddTexts = [
  ...letters,
  ...syntax,
  ...addresses,
  ...[128, 129, 256, 257, 1_025, 5_000].map(long),
  '',
  ' ',
  '\ufeff',
  'é'.repeat(129),
  '\u{1f600}'.repeat(128),
];

/** Keys that are more than data on an object. */
export const oddKeys = [
  ...words('__proto__ constructor prototype toString hasOwnProperty a.b a[b] $where'),
  '',
];

/** Values of any other type than the requested one, as JSON. */
export const otherTypes = [
  ...words('null true false [] {} [null] [[1]] {"length":1} {"toString":1} "1" "true" 1 ["__proto__"]'),
  ...words('{"__proto__":{"polluted":1}} {"constructor":{"prototype":{"polluted":1}}}'),
];

const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

/** Whole bodies that are not what a body should be. */
export const malformedBodies: readonly (string | Buffer)[] = [
  ...words(
    `null true 1 "" [] [1] { } {} {}{} {'id':1} {id:1} {"id":1,} {"id":1,"id":2} {"id":1,"i\\u0064":2}`,
  ),
  ...words('{"id" {"id": {"id":1 {"id":"\\ud800"} {"id":"\\u0000"} {"\\u0000":1} {/**/"id":1} {"id":1}//'),
  ...words(
    'id=1&name=x <id>1</id> {"__proto__":{"polluted":1}} {"constructor":{"prototype":{"polluted":1}}}',
  ),
  '',
  ' ',
  '{} x',
  '\ufeff{"id":1}',
  '{"id":\u00a01}',
  '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n1\r\n--x--',
  nested(15, '[', ']'),
  nested(17, '[', ']'),
  nested(20_000, '[', ']'),
  nested(10_000, '{"a":', '}'),
  '['.repeat(60_000),
  `{"name":"${long(65_536 - 11)}"}`,
  `{"name":"${long(65_536 - 10)}"}`,
  `{${Array.from({ length: 4_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]),
  Buffer.from('{"id":1}', 'utf16le'),
  gzipSync('{"id":1}'),
  gzipSync(Buffer.alloc(1_000_000)),
];

/** Headers that change how a request is read, or seem to. */
export const oddHeaders: readonly (readonly [string, string])[] = [
  ['Accept-Encoding', 'gzip'],
  ['Accept-Encoding', 'br;q=1, gzip;q=0.5'],
  ['Accept-Encoding', 'zstd, *;q=0'],
  ['Accept-Encoding', ';;;q=x,,gzip;q=2,identity;q=-1'],
  ['Accept-Encoding', 'gzip, '.repeat(500)],
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"x", "y", z'],
  ['If-None-Match', '"'.repeat(3_000)],
  ['Content-Type', 'application/json'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'multipart/form-data'],
  ['Content-Type', ''],
  ['Content-Type', '/;;='],
  ['Content-Encoding', 'gzip'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['X-Forwarded-For', '1.2.3.4, ::1, x'],
  ['X-Forwarded-Proto', 'http'],
  ['Forwarded', 'for=1.2.3.4;proto=http'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/v1/agents/list'],
  ['Range', 'bytes=0-10'],
  ['Expect', '100-continue'],
  ['Expect', 'nonsense'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Connection', 'keep-alive, Upgrade, HTTP2-Settings'],
  ['TE', 'trailers, chunked'],
  ['Trailer', 'X-Api-Key'],
  ['Cookie', 'a=b; '.repeat(800)],
  ['Authorization', 'Bearer x'],
  ['Accept', 'text/html;q=0.1, */*;q=nonsense'],
  ['Accept-Language', '*-'.repeat(1_000)],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Long', long(8_000)],
];
