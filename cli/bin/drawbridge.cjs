#!/usr/bin/env node
// Starts a program of Drawbridge on a Node that is new enough: the running one, or the one pinned in node_modules.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const oldestNode = 26;
const root = path.resolve(__dirname, '../..');

const server = { bundle: 'dist/server/main.js', source: 'server/src/main.ts' };
const admin = { bundle: 'dist/server/admin.js', source: 'server/src/admin/main.ts' };
const agent = { bundle: 'dist/agent/main.js', source: 'agent/src/main.ts' };
const simulate = { bundle: 'dist/agent/simulate.js', source: 'agent/src/simulate/main.ts' };
const cli = { bundle: 'dist/cli/main.js', source: 'cli/src/main.ts' };

/** The first words that mean a program of this machine: the server's, or a device's. Everything else speaks to a server: the cli. */
const programs = new Map([
  ['start', server],
  ['account create', admin],
  ['account list', admin],
  ['key create', admin],
  ['plan set', admin],
  ['operator add', admin],
  ['operator remove', admin],
  ['operator list', admin],
  ['audit verify', admin],
  ['backup', admin],
  ['restore', admin],
  ['doctor', admin],
  ['enroll create', admin],
  ['sign-in create', admin],
  ['agent', agent],
  ['simulate', simulate],
]);

if (Number.parseInt(process.versions.node, 10) >= oldestNode) runHere();
else runOnPinnedNode();

/** Becomes the program: from here on this process is it, with its own argv and import.meta.main. */
function runHere() {
  endWithLauncher();
  const words = process.argv.slice(2);
  const program = words[0] === '--run' ? undefined : programOf(words);
  const entry = program ? entryOf(program) : scriptOf(words.splice(0, 2)[1]);
  if (program === server) offerAgent();
  process.argv = [process.argv[0], entry, ...words];
  require('node:module').runMain();
}

/** A launcher that was killed without a word closes the channel; the program must not live on unseen. */
function endWithLauncher() {
  if (!process.channel) return;
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}

function scriptOf(name) {
  if (!name) refuse('--run needs the path of a script.');
  return path.resolve(root, name);
}

/** By its first words; those that only say how to answer may stand before them. Asking about the server does not start it. */
function programOf(words) {
  const first = words.findIndex((word) => !['--json', '--help', '-h'].includes(word));
  const named = words.slice(Math.max(first, 0));
  const program = programs.get(named.slice(0, 2).join(' ')) ?? programs.get(named[0]) ?? cli;
  // `audit verify` is both: whoever says which server is meant asks that one.
  if (program === admin && words.some((word) => /^--(server|profile|key)(=|$)/.test(word))) return cli;
  return program === server && first > 0 ? cli : program;
}

/** The bundle, made anew when it is stale; the sources themselves where no bundle can be made. */
function entryOf({ bundle, source }) {
  const { isFresh } = require('../../scripts/freshness.cjs');
  const file = path.join(root, bundle);
  if (!(isFresh(root) && fs.existsSync(file)) && !rebuild()) return path.join(root, source);
  require('node:module').enableCompileCache(path.join(root, 'dist/.cache'));
  return file;
}

/** Says nothing: where the build fails, running the sources tells why, and `npm run build` tells all. */
function rebuild() {
  const { isWritable } = require('../../scripts/freshness.cjs');
  if (!isWritable(root)) return false;
  const { spawnSync } = require('node:child_process');
  const script = path.join(root, 'scripts/build.ts');
  return spawnSync(process.execPath, [script], { stdio: 'ignore' }).status === 0;
}

/** Makes the single file that the server offers to devices, behind its back and with what it leaves of the machine. */
function offerAgent() {
  const { isWritable } = require('../../scripts/freshness.cjs');
  const script = path.join(root, 'scripts/build-agent.ts');
  if (!isWritable(root) || !fs.existsSync(script) || !isStale()) return;
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, [script, '--aside'], { stdio: 'ignore' });
  child.on('error', () => {}); // then the download page says how it is made
  child.unref();
  if (child.pid) require('node:os').setPriority(child.pid, 15);
}

/** Whether the programs were made after the agent's file was last looked at. */
function isStale() {
  const timeOf = (name) => fs.statSync(path.join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return timeOf('dist/agent-files/.stamp') <= timeOf('dist/.stamp');
}

/** Runs this same file on the pinned Node and stands in for it: signals go in, the exit code comes out. */
function runOnPinnedNode() {
  const { spawn } = require('node:child_process');
  const child = spawn(pinnedNode(), [...process.execArgv, __filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('error', (error) => refuse(`The pinned Node does not start: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  // Ctrl-C in a terminal reaches the program directly; sent on, it would arrive twice and mean "at once".
  const inTerminal = require('node:tty').isatty(0);
  process.on('SIGINT', () => inTerminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
}

function pinnedNode() {
  const { platform, arch } = process;
  const system = platform === 'win32' ? 'win' : platform;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${arch}`;
  try {
    const manifest = require.resolve(`${name}/package.json`, { paths: [root] });
    return path.join(path.dirname(manifest), require(manifest).bin.node);
  } catch {
    return refuse(
      `Drawbridge needs Node ${oldestNode} and this is ${process.version}: run npm ci, which brings ${name}, or update Node.`,
    );
  }
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
