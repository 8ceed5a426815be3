/** Loaded into the process of each test file: finds modules with less work than Node does, so that processes and threads start faster. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledPackages, bundledWriter, bundlesVariable, unbundledPackage } from './bundle-packages.ts';

// Programs that a test starts with an environment of their own load the packages as usual.
const folder = process.env[bundlesVariable];
const urlOf = (name: string): string => pathToFileURL(join(folder!, `${name}.mjs`)).href;
const root = new URL('..', import.meta.url).href;
const urls = new Map(folder === undefined ? [] : bundledPackages.map((name) => [name, urlOf(name)]));
if (folder !== undefined) urls.set(`${root}server/${bundledWriter.source}`, urlOf(bundledWriter.name));
/** Modules of the packages whose manifest maps every path to the file of that name in `src`. */
const ownModule = /^@drawbridge\/(agent|contract|relay|server|session|web)\/(.+)$/;

/** The address of a source file of ours: there is nothing to search for, and no other file that it could be. */
function findSource(specifier: string, parent: string | undefined): string | undefined {
  if (specifier.startsWith('.'))
    return specifier.endsWith('.ts') && parent?.startsWith(root)
      ? new URL(specifier, parent).href
      : undefined;
  const own = ownModule.exec(specifier);
  return own ? `${root}${own[1]}/src/${own[2]}.ts` : undefined;
}

registerHooks({
  resolve(specifier, context, next) {
    const bundle = urls.get(specifier);
    if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true };
    // The native package that the writer leaves out is not beside its bundle.
    if (specifier === unbundledPackage) return next(specifier, { ...context, parentURL: import.meta.url });
    const source = findSource(specifier, context.parentURL);
    if (source === undefined) return next(specifier, context);
    return { url: source, format: 'module-typescript', shortCircuit: true };
  },
});
