/**
 * Generates requests for what is open to people without a key: pages behind links, sessions, downloads,
 * recordings and their files.
 */
import {
  againRequest,
  alarmRequest,
  inviterRequest,
  noteRequest,
  openRequest,
  recordRequest,
  resumeRequest,
  showRequest,
} from '@drawbridge/contract/session/open';
import { playerPaths } from '@drawbridge/contract/session/player';
import { chunkHeaders } from '@drawbridge/contract/session/recording';
import { schemaOf } from '@drawbridge/contract/documents/schema';
import { oddTexts } from './corpus.ts';
import type { SeededRandom } from './seeded-random.ts';
import { makeBody, moreHeaders, type GeneratedRequest } from './requests.ts';
import type { FuzzFixture } from './fixture.ts';

const requests = {
  showRequest,
  inviterRequest,
  openRequest,
  resumeRequest,
  noteRequest,
  againRequest,
  recordRequest,
  alarmRequest,
};
const sessionPaths = Object.entries(requests).map(([name, shape]) => ({
  path: `/session/${name.replace('Request', '')}`,
  schema: schemaOf(shape),
}));
/** Paths with a name in them. `*` is its position. */
const named = [
  '/p/*',
  '/t/*',
  '/o/*',
  '/c/*',
  '/i/*',
  '/sign-in/*',
  '/invite/*',
  '/preview/*',
  '/panel/*',
  '/brand/*',
  '/app/*',
  '/download/*',
  '/static/*',
  `${playerPaths.page}/*`,
  `${playerPaths.data}/*`,
  `${playerPaths.data}/*/1/0`,
  `${playerPaths.data}/1/*/0`,
  `${playerPaths.upload}/*/0`,
  `${playerPaths.upload}/1/*`,
];
const fixed = [
  '/',
  '/i',
  '/panel',
  '/docs',
  '/docs/',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/download',
  '/metrics',
  '/manifest.webmanifest',
];
const files = [
  'SHA256SUMS',
  'install.sh',
  'join.json',
  'panel.html',
  'panel.js',
  'page.css',
  '..',
  '.',
  '../../etc/passwd',
];

/** Only what is allowed in a request line; nothing is escaped, because no path of the service needs it. */
const inPath = (text: string, random: SeededRandom): string =>
  random.oneIn(2) ? encodeURIComponent(text.toWellFormed()) : text.replaceAll(/[^!-~]|[?#]/g, '_');

export function makePageRequest(fixture: FuzzFixture, random: SeededRandom): GeneratedRequest {
  if (random.oneIn(4)) return sessionRequest(fixture, random);
  const name = random.pick([
    () => random.pick(fixture.links),
    () => random.pick(fixture.links).slice(0, -1),
    () => random.pick(files),
    () => inPath(random.pick(oddTexts), random),
    () => `${random.whole(0, 9)}.${random.whole(0, 9)}.${'x'.repeat(random.whole(21, 23))}`,
  ])();
  const path = random.oneIn(6) ? random.pick(fixed) : random.pick(named).replace('*', () => name);
  const method =
    random.oneIn(3) || path.startsWith(playerPaths.upload) ? 'POST' : random.pick(['GET', 'GET', 'HEAD']);
  const body =
    method === 'POST' ? Buffer.from(`password=${inPath(random.pick(oddTexts), random)}`) : undefined;
  const headers: [string, string][] = [['Host', 'localhost'], ...moreHeaders(random)];
  if (path.startsWith(playerPaths.upload)) headers.push(...chunkOf(random));
  if (random.oneIn(5)) headers.push(['Range', random.pick(ranges)]);
  return { row: undefined, id: path, method, target: path, headers, body };
}

const ranges = [
  'bytes=0-',
  'bytes=-1',
  'bytes=5-1',
  'bytes=99999999999-',
  'bytes=0-0,2-3',
  'x=1-2',
  'bytes=a-b',
];

function chunkOf(random: SeededRandom): [string, string][] {
  const numbers = ['0', '1', '-1', '01', '1e3', '99999999999', 'x', ''];
  return Object.values(chunkHeaders)
    .map((name): [string, string] => [
      name,
      random.oneIn(4) ? random.pick(numbers) : name.endsWith('key') ? 'k'.repeat(43) : '0',
    ])
    .concat([['Authorization', random.pick(['Bearer x', `Bearer ${'x'.repeat(43)}`, 'Basic x', 'Bearer '])]]);
}

/** What the page of an operator sends. */
function sessionRequest(fixture: FuzzFixture, random: SeededRandom): GeneratedRequest {
  const { path, schema } = random.pick(sessionPaths);
  const body = makeBody({ id: path, fixture, random }, schema);
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['Origin', fixture.origin],
    ...moreHeaders(random),
  ];
  return { row: undefined, id: path, method: 'POST', target: path, headers, body };
}
