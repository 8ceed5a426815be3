/** The commands `service install`, `service status` and `service uninstall`: the server as a service of systemd. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes, isCliFailure, usageFailure, type CliFailure } from '../failure.ts';
import { removeServiceFiles, serviceFiles, writeServiceFiles } from './service-files.ts';
import { servicePaths, serverUnitName } from './server-unit.ts';

/** What the commands use of the machine; passed in by main and by tests. */
export interface ServiceContext {
  /** The program that starts the server, without `start`. */
  command: readonly string[];
  isRoot: boolean;
  /** Whether systemd runs here. */
  hasSystemd: boolean;
  /** Runs a program; resolves to its output, or to undefined if it failed. */
  run(program: string, args: readonly string[]): Promise<string | undefined>;
  out(text: string): void;
  err(text: string): void;
}

interface ServiceOptions {
  /** The folder that stands for `/`. */
  root: string;
  isDry: boolean;
  json: boolean;
}

type ServiceCommand = (options: ServiceOptions, context: ServiceContext) => Promise<CliFailure | number>;

const usage =
  'Usage: drawbridge service install|uninstall [--dry-run] [--root FOLDER], drawbridge service status [--json]';

export async function runServiceCommand(argv: readonly string[], context: ServiceContext): Promise<number> {
  const parsed = parse(argv);
  if (parsed === 'help') {
    context.out(`${usage}\n`);
    return exitCodes.done;
  }
  const outcome = isCliFailure(parsed) ? parsed : await parsed.command(parsed.options, context);
  if (!isCliFailure(outcome)) return outcome;
  context.err(`drawbridge: ${outcome.says}\n`);
  return outcome.exit;
}

function parse(
  argv: readonly string[],
): { command: ServiceCommand; options: ServiceOptions } | CliFailure | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        root: { type: 'string' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return 'help';
    const command = commands.get(positionals.join(' '));
    if (!command) return usageFailure(usage);
    const { root = '/', 'dry-run': isDry = false, json = false } = values;
    return { command, options: { root, isDry, json } };
  } catch (error) {
    return usageFailure((error as Error).message);
  }
}

const commands = new Map<string, ServiceCommand>([
  ['service install', install],
  ['service uninstall', uninstall],
  ['service status', printStatus],
]);

/** Why this machine cannot be changed; undefined if it can. */
function obstacle({ root, isDry }: ServiceOptions, context: ServiceContext): CliFailure | undefined {
  if (isDry || root !== '/') return undefined;
  if (!context.isRoot)
    return refused('Changing a system service needs root. Use sudo, or --dry-run to see what would be done.');
  if (!context.hasSystemd)
    return refused(
      'This system does not run systemd. Let its own service manager run `drawbridge start`, or use --root.',
    );
  return undefined;
}

/** Folders that a restricted service does not see. */
const hiddenFolders = ['/home/', '/root/', '/run/user/', '/tmp/', '/var/tmp/'];

/** Why the service could not run the program; undefined if it can. */
function hiddenProgram({ command }: ServiceContext): CliFailure | undefined {
  const hidden = command.find((path) => hiddenFolders.some((folder) => path.startsWith(folder)));
  return hidden === undefined
    ? undefined
    : refused(`The service cannot read ${hidden}. Move the project, for example to /opt/drawbridge.`);
}

const refused = (says: string): CliFailure => ({ exit: exitCodes.refused, says });

async function install(options: ServiceOptions, context: ServiceContext): Promise<CliFailure | number> {
  const { root, isDry } = options;
  const problem = obstacle(options, context) ?? hiddenProgram(context);
  if (problem) return problem;
  const verb = isDry ? 'Would write' : 'Wrote';
  for (const path of writeServiceFiles(root, serviceFiles(context.command), isDry))
    context.out(`${verb} ${path}\n`);
  if (isDry || root !== '/') return exitCodes.done;
  const failure = await runAll(context, [
    ['systemd-sysusers', servicePaths.user],
    ['chgrp', 'drawbridge', servicePaths.settings],
    ['systemctl', 'daemon-reload'],
    ['systemctl', 'enable', serverUnitName],
    ['systemctl', 'restart', serverUnitName],
  ]);
  if (failure) return failure;
  context.out(
    `The server is installed and runs with ${servicePaths.settings} and ${servicePaths.data}.\n` +
      'A new server prints the link for its first owner: journalctl -u drawbridge\n',
  );
  return exitCodes.done;
}

async function uninstall(options: ServiceOptions, context: ServiceContext): Promise<CliFailure | number> {
  const { root, isDry } = options;
  const problem = obstacle(options, context);
  if (problem) return problem;
  const changesSystem = !isDry && root === '/';
  if (changesSystem && existsSync(servicePaths.unit)) {
    const failure = await runAll(context, [['systemctl', 'disable', '--now', serverUnitName]]);
    if (failure) return failure;
  }
  const verb = isDry ? 'Would remove' : 'Removed';
  for (const path of removeServiceFiles(root, isDry)) context.out(`${verb} ${path}\n`);
  if (changesSystem) await context.run('systemctl', ['daemon-reload']);
  context.out(`The settings and the data stay in ${dirOf(root)}.\n`);
  return exitCodes.done;
}

const dirOf = (root: string): string =>
  `${join(root, servicePaths.settings)} and ${join(root, servicePaths.data)}`;

async function printStatus({ root, json }: ServiceOptions, context: ServiceContext): Promise<number> {
  const active = await context.run('systemctl', ['is-active', serverUnitName]);
  const state = {
    installed: existsSync(join(root, servicePaths.unit)),
    running: root === '/' && active?.trim() === 'active',
  };
  const lines = Object.entries(state).map(([name, value]) => `${name.padEnd(10)} ${value}`);
  context.out(`${json ? JSON.stringify(state) : lines.join('\n')}\n`);
  return state.running ? exitCodes.done : exitCodes.noConnection;
}

async function runAll(
  context: ServiceContext,
  steps: readonly [string, ...string[]][],
): Promise<CliFailure | undefined> {
  for (const [program, ...args] of steps)
    if ((await context.run(program, args)) === undefined)
      return refused(`${program} ${args.join(' ')} failed. See journalctl -xe.`);
  return undefined;
}
