/** Reads what the files of the project import, and finds circles among them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

export const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).toSorted();

const importPattern = /(?:^|[^\w.'"])(?:from|import)[\s(]*'([^'\n]+)'/g;

/** Files of ours by their path from the root, packages by their name, Node's own modules as `node:…`. */
function importsIn(text: string, file: string): string[] {
  return [...text.matchAll(importPattern)].map(([, target = '']) => {
    if (target.startsWith('.')) return join(dirname(file), target);
    if (target === '@drawbridge/client') return 'sdk/src/client.ts';
    const [, workspace, rest] = /^@drawbridge\/(\w+)\/(.+)$/.exec(target) ?? [];
    if (workspace) return `${workspace === 'client' ? 'sdk' : workspace}/src/${rest}.ts`;
    return target.startsWith('node:') ? target : (/^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target);
  });
}

export const importsOf = (file: string): string[] => importsIn(read(file), file);

export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export const graphOf = (files: readonly string[]): ImportGraph =>
  new Map(files.map((file) => [file, importsOf(file)]));

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function circlesIn(graph: ImportGraph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const lower = (file: string, to: number): void => void low.set(file, Math.min(low.get(file)!, to));

  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) lower(file, low.get(target)!);
    }
    if (low.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.toSorted());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return circles;
}
