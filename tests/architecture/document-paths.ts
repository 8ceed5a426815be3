/** Finds the paths of this repository and the parts of documents that a document names, and those among them that do not exist. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf, read } from './imports.ts';

const root = join(import.meta.dirname, '../..');

const code = /```[\s\S]*?```|`[^`]+`/g;
const links = /\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)/gm;
/** Operations have names like `session/open`: in a workspace only what is below `src` and `bin` counts. */
const fromRoot =
  /^(?:(?:bench|docs|scripts|tests|\.ci)\/|(?:agent|cli|contract|relay|sdk|server|session|web)\/(?:src|bin)\b)/;
const sourceFile = /\w\.(?:ts|tsx|cjs|mjs)$/;

function expandBraces(path: string): string[] {
  const [, before = '', choices, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (choices === undefined) return [path];
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

/** The words of the code in a document: paths have no other characters than these. */
const wordsIn = (text: string): string[] =>
  (text.match(code) ?? [])
    .flatMap((each) => each.split(/[\s`'"()=]+/))
    .map((word) => word.replace(/[.,;:]+$/, ''))
    .filter((word) => /^[\w@.{},*…/-]+$/.test(word));

const sources = filesOf('{agent,bench,cli,contract,relay,scripts,sdk,server,session,tests,web}/**/*').map(
  (file) => `/${file}`,
);

const exists = (path: string): boolean => {
  const pattern = path.replaceAll('…', '*');
  return pattern.includes('*') ? globSync(pattern, { cwd: root }).length > 0 : existsSync(join(root, path));
};

/** A source file may be named by the end of its path, where the text says in which folder it is. */
const isEndOfPath = (path: string): boolean =>
  /[*…]/.test(path) || sources.some((file) => file.endsWith(`/${path}`));

const missingCode = (text: string): string[] =>
  wordsIn(text)
    .flatMap(expandBraces)
    .filter((path) => (fromRoot.test(path) ? !exists(path) : sourceFile.test(path) && !isEndOfPath(path)));

const missingLinks = (text: string, document: string): string[] =>
  Array.from(text.matchAll(links), ([, inline, reference]) => (inline ?? reference)!)
    .filter((target) => !/^(?:\w+:|\/)/.test(target))
    .flatMap((target) => {
      const [path = '', anchor] = target.split('#');
      const file = join(dirname(document), path);
      if (path !== '' && !exists(file)) return [path];
      if (anchor === undefined || !/^$|\.md$/.test(path)) return [];
      return anchorsOf(path === '' ? text : read(file)).includes(anchor) ? [] : [target];
    });

/** What GitHub names the headings of a document in addresses. */
const anchorsOf = (text: string): string[] =>
  Array.from(text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** `document` is the path of the text, from which its links start. */
export const missingPaths = (text: string, document: string): string[] => [
  ...missingCode(text),
  ...missingLinks(text, document),
];
