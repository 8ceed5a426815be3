/** Writes the derived files. With --check, only lists the stale ones and fails if there are any. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readCommitted, derivedFiles, projectRoot } from './derived-files.ts';

const check = process.argv.includes('--check');
const stale = Object.entries(derivedFiles).filter(([path, text]) => readCommitted(path) !== text());

for (const [path, text] of stale) {
  if (check) {
    console.error(`${path} does not match its source. Run npm run derive.`);
    continue;
  }
  mkdirSync(new URL('.', new URL(path, projectRoot)), { recursive: true });
  writeFileSync(new URL(path, projectRoot), text());
  console.log(`wrote ${path}`);
}
if (stale.length === 0) console.log('All derived files are up to date.');
if (check && stale.length > 0) process.exitCode = 1;
