/** Two hundred file names that must not become a path, a device, a header or another name. */

const targets = ['etc/passwd', 'drawbridge.db', 'tls/key.pem', 'x'];
const climbs = ['../', '../../', '..\\', '..\\..\\', './', '/', '\\', '//', '....//', '..;/', '.../', '~/'];
const escapes = ['%2e%2e%2f', '%2e%2e/', '..%2f', '..%5c', '%252e%252e%252f', '..%c0%af', '%uff0e%uff0e/'];
const drives = ['C:\\', 'C:', 'c:/', '\\\\server\\share\\', '\\\\?\\C:\\', '\\\\.\\', 'file:///', 'smb://a/'];
const devices = ['CON', 'nul', 'PRN.txt', 'aux', 'COM1', 'lpt9.pdf', 'CONIN$', 'NUL.tar.gz', 'com1:'];
const dots = ['.', '..', '...', '. .', '.bashrc', '.ssh', 'a.', 'a..', 'a ', '.htaccess', '..hidden'];
const streams = ['a.txt:b', 'a.txt::$DATA', 'a.txt:$I30', '$MFT', '$Recycle.Bin'];
const controls = [
  '\0',
  'a\0.txt',
  '\n',
  'a\r\nX: y',
  '\t.txt',
  '\u001b[31m.txt',
  '\u007f',
  'a\u0085b',
  '\u0007',
];
const turns = ['\u202e', '\u202a', '\u2066', '\u2069', '\u202d'].flatMap((sign) => [
  `invoice${sign}fdp.exe`,
  `${sign}a.txt`,
]);
const unseen = [
  '\u200b.txt',
  '\ufeffa',
  'a\u2028b',
  'a\u2029b',
  '\u00ad.txt',
  '\u2060',
  'a\u3000b',
  '\u180e',
];
const lookalikes = [
  '．．／etc',
  '‥／a',
  '∕etc∕passwd',
  '⧸a',
  'ａ．ｅｘｅ',
  'é.txt',
  'e\u0301.txt',
  'ﬁle.txt',
];
const commands = ['-rf', '--help', '`id`', '$(id)', '| id', '; id', '&& id', '> a', '< a', '*', '?', '!!'];
const markup = [
  '<script>alert(1)</script>',
  '"><img src=x>',
  "' or 1=1 --",
  '{{7*7}}',
  '${7*7}',
  '%s%n%x',
  '=1+1',
];
const quotes = ['a"b', "a'b", 'a\\"b', 'a"; filename="b.exe', 'a;b', 'a,b', 'a\\', '"', "UTF-8''a", 'a=b'];
const long = [
  'x'.repeat(127),
  'x'.repeat(128),
  'x'.repeat(129),
  'é'.repeat(128),
  '😀'.repeat(128),
  'x'.repeat(4_000),
];
const reserved = [
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  'owner',
];
const ours = ['0'.repeat(64), `${'0'.repeat(64)}-${'0'.repeat(16)}`, `${'0'.repeat(16)}.part`, 'files', '1'];
const empty = ['', ' ', '\u00a0', '   '];

export const hostileNames: string[] = [
  ...[...climbs, ...escapes, ...drives].flatMap((prefix) => targets.map((target) => `${prefix}${target}`)),
  ...[devices, dots, streams, controls, turns, unseen, lookalikes, commands, markup, quotes].flat(),
  ...[long, reserved, ours, empty].flat(),
];
