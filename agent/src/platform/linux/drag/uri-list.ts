/** Reads the local files out of a list of addresses (text/uri-list), which any program of the person may have written. */
import { hostname } from 'node:os';

const [maxPathLength, maxNameLength] = [4_096, 1_024];

/** The paths in their order, each once; what is no file of this device is left out. */
export function localPathsOf(uriList: string): string[] {
  const paths = uriList
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(toLocalPath)
    .filter((path) => path !== undefined);
  return [...new Set(paths)];
}

const isLocal = (host: string): boolean => ['', 'localhost', hostname().toLowerCase()].includes(host);

/** The URL parser is not used, because it would resolve dots before they are seen. */
function toLocalPath(line: string): string | undefined {
  const [, host, encoded] = /^file:\/\/([^/?#]*)(\/[^?#]*)$/i.exec(line.trim()) ?? [];
  if (host === undefined || encoded === undefined || !isLocal(host.toLowerCase())) return undefined;
  const path = decode(encoded)?.replace(/\/$/, '');
  return path !== undefined && isPlain(path) ? path : undefined;
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function isPlain(path: string): boolean {
  const [, ...names] = path.split('/');
  if (names.length === 0 || path.length > maxPathLength || path.includes('\0')) return false;
  return names.every((name) => !['', '.', '..'].includes(name) && name.length <= maxNameLength);
}
