/** Loaded into the process of each test file: packages of hundreds of files come from one file each, so that processes and threads start faster. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledPackages, bundlesVariable } from './bundle-packages.ts';

// Programs that a test starts with an environment of their own load the packages as usual.
const folder = process.env[bundlesVariable];
const urlOf = (name: string): string => pathToFileURL(join(folder!, `${name}.mjs`)).href;
const urls = new Map(folder === undefined ? [] : bundledPackages.map((name) => [name, urlOf(name)]));

registerHooks({
  resolve(specifier, context, next) {
    const url = urls.get(specifier);
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
  },
});
