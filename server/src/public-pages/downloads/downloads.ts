/** Downloads of the agent: a page, the checksums, the installation scripts, and the files, streamed from where they are stored. */
import {
  errorResponse,
  htmlPage,
  type PageRequest,
  type PageResponse,
  type Route,
} from '../../http/route.ts';
import { pageCsp } from '../page.ts';
import { unknownFile } from '../static-files.ts';
import { downloadPage, notBuiltPage } from './download-page.ts';
import { installCommand, installScript, type PinnedServer } from './install-script.ts';
import { joinCommand, joinScript } from './join-script.ts';
import {
  hasWindows,
  windowsInstallCommand,
  windowsInstallScript,
  windowsJoinCommand,
  windowsJoinScript,
} from './windows-scripts.ts';
import { releasePath, type ReleaseFile } from '@drawbridge/contract/uplink/release';
import { checksumsText, type AvailableRelease } from './release-manifest.ts';
import { parseByteRange } from '../../domain/range.ts';

export interface DownloadOptions {
  /** Resolves to undefined if nothing was built. */
  currentRelease(): Promise<AvailableRelease | undefined>;
  /** The current state: the port is known only once it is open, and the certificate may be renewed. */
  server(): PinnedServer;
}

const text = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';
const notBuilt = errorResponse(404, {
  code: 'not_built',
  message: 'The agent is not built yet. Run npm run build:agent on the server.',
});

export function downloadRoutes({ currentRelease, server }: DownloadOptions): Route[] {
  const route = (path: string, answer: AnswerRelease): Route => releaseRoute(currentRelease, path, answer);
  const page = async (): Promise<PageResponse> => {
    const release = await currentRelease();
    return htmlPage(await (release ? downloadPage(release, server()) : notBuiltPage()), pageCsp);
  };
  return [
    { method: 'GET', path: '/download', handle: page },
    { method: 'GET', path: '/download/', handle: page },
    route('/download/SHA256SUMS', (release) => ({ http: 200, type: text, body: checksumsText(release) })),
    route(releasePath, async (release) => {
      const body = await release.signed();
      return body === undefined ? unknownFile : { http: 200, type: json, body };
    }),
    ...scriptRoutes(route, server),
    route('/download/:name', (release, { params, headers }) => {
      const file = release.files.find(({ name }) => name === params['name']);
      return file ? fileResponse(release, file, headers) : unknownFile;
    }),
  ];
}

/** The scripts, and for programs the lines that run them. */
function scriptRoutes(
  route: (path: string, answer: AnswerRelease) => Route,
  server: () => PinnedServer,
): Route[] {
  const script = (path: string, write: (release: AvailableRelease, to: PinnedServer) => string): Route =>
    route(path, (release) => ({ http: 200, type: text, body: write(release, server()) }));
  const lines = (path: string, read: (release: AvailableRelease, to: PinnedServer) => object): Route =>
    route(path, (release) => ({ http: 200, type: json, body: JSON.stringify(read(release, server())) }));
  return [
    script('/download/install.sh', installScript),
    script('/download/join.sh', joinScript),
    script('/download/install.ps1', windowsInstallScript),
    script('/download/join.ps1', windowsJoinScript),
    lines('/download/install.json', (release, to) => ({
      line: installCommand(to),
      ...(hasWindows(release) && { windows_line: windowsInstallCommand(to) }),
      files: release.files.map(({ os, arch }) => ({ os, arch })),
    })),
    lines('/download/join.json', (release, to) => ({
      line: joinCommand(to),
      ...(hasWindows(release) && { windows_line: windowsJoinCommand(to) }),
    })),
  ];
}

type AnswerRelease = (
  release: AvailableRelease,
  request: PageRequest,
) => PageResponse | Promise<PageResponse>;

/** A route that needs the files of the agent, which may not be built yet. */
const releaseRoute = (
  currentRelease: DownloadOptions['currentRelease'],
  path: string,
  answer: AnswerRelease,
): Route => ({
  method: 'GET',
  path,
  async handle(request) {
    const release = await currentRelease();
    return release ? answer(release, request) : notBuilt;
  },
});

async function fileResponse(
  release: AvailableRelease,
  file: ReleaseFile,
  requestHeaders: PageRequest['headers'],
): Promise<PageResponse> {
  const { name, size } = file;
  const tag = `"${file.sha256}"`;
  const type = 'application/octet-stream';
  const headers = {
    ETag: tag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-cache',
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  if (requestHeaders['if-none-match'] === tag) return { http: 304, type, body: '', headers };
  const part =
    (requestHeaders['if-range'] ?? tag) === tag ? parseByteRange(requestHeaders.range, size) : undefined;
  if (part === 'beyond')
    return { http: 416, type, body: '', headers: { ...headers, 'Content-Range': `bytes */${size}` } };
  const opened = await release.open(file);
  if (!opened) return unknownFile;
  const { start, end } = part ?? { start: 0, end: size - 1 };
  return {
    http: part ? 206 : 200,
    type,
    body: opened.read(start, end),
    pool: 'downloads',
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      ...(part && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    },
  };
}
