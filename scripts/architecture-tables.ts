/** Generates the tables of ARCHITECTURE.md from the constants of the architecture test. */
import { dependencies } from '../tests/architecture/dependencies.ts';
import { layers } from '../tests/architecture/layers.ts';

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const table = (heads: string[], rows: string[][]): string =>
  [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

const code = (path: string): string => (path === 'node:' ? 'Node' : `\`${path}\``);
const codes = (paths: readonly string[]): string => paths.map(code).join(', ') || 'nothing';

/** Keyed by the name in the marker `<!-- derived: name -->`. */
const tables: Record<string, () => string> = {
  folders: () =>
    table(
      ['Folder', 'Content'],
      layers.flatMap(({ path, says }) => (says ? [[code(path), says]] : [])),
    ),
  imports: () =>
    table(
      ['Folder', 'May import, besides itself'],
      layers.map(({ path, mayImport }) => [code(path), codes(mayImport)]),
    ),
  dependencies: () =>
    table(
      ['Package', 'Used by', 'Reason'],
      dependencies.map(({ name, workspaces, places, reason }) => [
        code(name),
        codes(places?.length ? places : workspaces),
        reason,
      ]),
    ),
};

const marked = /(<!-- derived: (\w+) -->\n)[^]*?(\n<!-- \/derived -->)/g;

/** Replaces every marked table in the document. */
export const withTables = (text: string): string =>
  text.replace(marked, (all: string, begin: string, name: string, end: string) => {
    const derive = tables[name];
    return derive ? `${begin}\n${derive()}\n${end}` : all;
  });
