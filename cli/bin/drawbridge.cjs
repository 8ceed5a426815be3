#!/usr/bin/env node
// Starts a program of Drawbridge on a Node that is new enough: the running one, or the one pinned in node_modules.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const oldestNode = 26;
const root = path.resolve(__dirname, '../..');
const compileCache = path.join(root, 'dist/.cache');

const server = { bundle: 'dist/server/main.js', source: 'server/src/main.ts' };
const relay = { bundle: 'dist/server/relay.js', source: 'server/src/relay-main.ts' };
const admin = { bundle: 'dist/server/admin.js', source: 'server/src/admin/main.ts' };
const agent = { bundle: 'dist/agent/main.js', source: 'agent/src/main.ts' };
const simulate = { bundle: 'dist/agent/simulate.js', source: 'agent/src/simulate/main.ts' };
const service = { bundle: 'dist/cli/service.js', source: 'cli/src/service/main.ts' };
const cli = { bundle: 'dist/cli/main.js', source: 'cli/src/main.ts' };

/** First words of the commands that run on this machine, as server or device. All other commands call a server through the CLI. */
const programs = new Map([
  ['start', server],
  ['relay start', relay],
  ['relay key', admin],
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
  ['storage copy', admin],
  ['secrets rotate', admin],
  ['migrate', admin],
  ['doctor', admin],
  ['server show', admin],
  ['enroll create', admin],
  ['sign-in create', admin],
  ['service', service],
  ['agent', agent],
  ['simulate', simulate],
]);

const words = process.argv.slice(2);
const program = words[0] === '--run' ? undefined : findProgram();
/**
 * What a server needs from its start on. By default, glibc gives threads arenas of their own and hardly returns their
 * memory. The writer thread uses the compile cache only if the environment names it.
 */
const environment =
  program === server
    ? { MALLOC_ARENA_MAX: '1', NODE_COMPILE_CACHE: compileCache, ...process.env }
    : process.env;
/** Replacing the process would lose a channel to the parent process. Node has `execve` since 22.15. */
const canReplaceProcess = process.platform === 'linux' && process.execve !== undefined && !process.channel;

if (Number.parseInt(process.versions.node, 10) < oldestNode) runOnPinnedNode();
else if (!program) run(scriptOf(words[1]), words.slice(2));
else start(entryOf(program));

/** A server runs in a new image of this process, without what the launcher has left in memory. */
function start(entry) {
  if (program === server && canReplaceProcess) replaceProcess(process.execPath, ['--run', entry, ...words]);
  else run(entry, words);
}

/** Runs this file again on that Node. The process keeps its id, its parent and its standard streams. */
function replaceProcess(node, args) {
  process.execve(node, [node, ...process.execArgv, __filename, ...args], environment);
}

/** Runs a program or script in this image, with its own argv and import.meta.main. */
function run(entry, args) {
  endWithLauncher();
  if ([server.bundle, server.source].includes(path.relative(root, entry))) offerAgent();
  if (entry.startsWith(path.join(root, 'dist/'))) require('node:module').enableCompileCache(compileCache);
  process.argv = [process.argv[0], entry, ...args];
  require('node:module').runMain();
}

/** The channel closes if the launcher is killed. The program must then end too. */
function endWithLauncher() {
  if (!process.channel) return;
  process.once('disconnect', () => process.exit(1));
  process.channel.unref();
}

function scriptOf(name) {
  if (!name) refuse('--run needs the path of a script.');
  return path.resolve(root, name);
}

/** Finds the program by its first words; output options can precede them. `--help start` starts neither server nor relay. */
function findProgram() {
  const first = words.findIndex((word) => !['--json', '--help', '-h'].includes(word));
  const named = words.slice(Math.max(first, 0));
  const found = programs.get(named.slice(0, 2).join(' ')) ?? programs.get(named[0]) ?? cli;
  // `audit verify` is both: with a server, it is the CLI's command.
  if (found === admin && words.some((word) => /^--(server|profile|key)(=|$)/.test(word))) return cli;
  return (found === server || found === relay) && first > 0 ? cli : found;
}

/** Returns the bundle, rebuilt if it is stale, or the source if no bundle can be built. */
function entryOf({ bundle, source }) {
  const { isFresh } = require('../../scripts/freshness.cjs');
  const file = path.join(root, bundle);
  return (isFresh(root) && fs.existsSync(file)) || rebuild() ? file : path.join(root, source);
}

/** Prints nothing: if the build fails, running the source shows the error, and `npm run build` shows all of them. */
function rebuild() {
  const { isWritable } = require('../../scripts/freshness.cjs');
  if (!isWritable(root)) return false;
  const { spawnSync } = require('node:child_process');
  const script = path.join(root, 'scripts/build.ts');
  return spawnSync(process.execPath, [script], { stdio: 'ignore' }).status === 0;
}

/** Builds the agent's executable for download in the background, at low priority. */
function offerAgent() {
  const { isWritable } = require('../../scripts/freshness.cjs');
  const script = path.join(root, 'scripts/build-agent.ts');
  if (!isWritable(root) || !fs.existsSync(script) || !isStale()) return;
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, [script, '--background'], { stdio: 'ignore' });
  child.on('error', () => {}); // the download page then shows how to build it
  child.unref();
  if (child.pid) require('node:os').setPriority(child.pid, 15);
}

/** Whether the programs were built after the agent's executable was last checked. */
function isStale() {
  const timeOf = (name) => fs.statSync(path.join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return timeOf('dist/agent-files/.stamp') <= timeOf('dist/.stamp');
}

/** Runs this file on the pinned Node: in this process if it can be replaced, otherwise in one to which it forwards signals. */
function runOnPinnedNode() {
  const node = pinnedNode();
  const { spawn, spawnSync } = require('node:child_process');
  // If the pinned Node cannot run on this system, replacing the process with it would end without an explanation.
  if (canReplaceProcess && spawnSync(node, ['--version']).status === 0) return replaceProcess(node, words);
  const child = spawn(node, [...process.execArgv, __filename, ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment,
  });
  child.on('error', (error) => refuse(`The pinned Node does not start: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  // Ctrl-C in a terminal reaches the program directly. Forwarded, it would arrive twice, which means immediate exit.
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
