// Tells whether the bundles in dist/ are up to date with the sources.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

/** The sources of the bundles. Only sizes and times are compared, because this runs before every command. */
const sources = [
  'contract/src',
  'session/src',
  'sdk/src',
  'server/src',
  'server/static',
  'cli/src',
  'agent/src',
  'relay/src',
  'web/src',
  'web/package.json',
  'scripts/build.ts',
  'scripts/build-web.ts',
  'package.json',
  'package-lock.json',
];

function filesOf(root, source) {
  const place = path.join(root, source);
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [`${source} ${stat.size} ${stat.mtimeMs}`];
  return fs
    .readdirSync(place)
    .filter((name) => !name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => filesOf(root, `${source}/${name}`));
}

/** A text that changes whenever one of these sources or the runtime changes. */
function fingerprint(root, some = sources) {
  return [process.version, ...some.flatMap((source) => filesOf(root, source))].join('\n');
}

function isFresh(root) {
  try {
    return fs.readFileSync(path.join(root, 'dist/.stamp'), 'utf8') === fingerprint(root);
  } catch {
    return false;
  }
}

/** Whether this user can write to dist/ or create it. */
function isWritable(root) {
  const dist = path.join(root, 'dist');
  try {
    fs.accessSync(fs.existsSync(dist) ? dist : root, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { fingerprint, isFresh, isWritable };
