/** The agent's command line: run, install, status, doctor, approver, uninstall, and join for one-time support. */
import { isSea } from 'node:sea';
import { parseArgs } from 'node:util';
import type { AgentArguments } from './arguments.ts';
import { NotPossible } from './platform/platform.ts';
import { install, printStatus, uninstall } from './service/service.ts';
import { runInForeground } from './run.ts';
import { withCaVariable } from './uplink/given-trust.ts';
import { agentVersion } from './version.ts';

const name = isSea() ? 'drawbridge-agent' : 'drawbridge agent';

const help = `${name} run --server URL --token TOKEN      run in the foreground
${name} install --server URL --token TOKEN  install as a system service that starts at boot
${name} status [--json]                     show whether it runs and which account it belongs to
${name} doctor                              show how each signed-in person's desktop is reached, and what is missing
${name} approver add NAME KEY               let this person approve sessions; from then on each session needs that
${name} approver list                       show who approves sessions
${name} approver remove NAME                take that away; without approvers, sessions need no approval
${name} uninstall                           stop and remove the service, the program and the device's key
${name} join CODE --server URL              let someone help on this machine once; nothing is kept

run, install and join take one of these for a server whose certificate is not trusted here:
  --ca FILE             trust the certificates in this file (or DRAWBRIDGE_CA)
  --fingerprint SHA256  trust the certificate with this fingerprint, or with this public key (sha256//…)

On Windows, join takes --elevate to start with administrator rights, for which Windows asks.

The first run needs --server and --token; later runs remember them and the certificates.
State is kept in the folder DRAWBRIDGE_AGENT_DATA (default: the system's standard location).`;

const verbs: Record<string, (options: AgentArguments) => Promise<number>> = {
  run: runInForeground,
  install,
  status: printStatus,
  uninstall,
  doctor: async () => (await import('./platform/doctor.ts')).printDesktops(),
  approver: async (options) => (await import('./four-eyes/approver-command.ts')).changeApprovers(options),
  // Started by the service manager of Windows, and by that service.
  service: async () => (await import('./service/windows/service-process.ts')).runService(),
  'service-agent': async (options) =>
    (await import('./service/windows/service-process.ts')).runServiceAgent(options),
  // Started by the service as the person whose Wayland desktop it serves.
  'desktop-helper': async (options) =>
    (await import('./platform/linux/wayland/run-helper.ts')).runDesktopHelper(options),
  // Started by the service of Windows as the person whose files and shells it opens.
  'person-helper': async () => (await import('./platform/windows/person/run-helper.ts')).runPersonHelper(),
  // Started by the agent on the desktop with the login screen and the questions of Windows.
  'input-desktop-helper': async () =>
    (await import('./platform/windows/input-desktop/run-helper.ts')).runInputDesktopHelper(),
  // Loaded only on demand, because it imports all session code.
  join: async (options) => (await import('./join/join.ts')).joinInvitation(options),
};

async function main(argv: string[]): Promise<number> {
  const [verb = '', ...rest] = argv[0] === 'agent' ? argv.slice(1) : argv;
  if (verb === '--version') {
    console.log(agentVersion);
    return 0;
  }
  const chosen = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!chosen || rest.includes('--help')) {
    (chosen || verb === '' || verb === '--help' ? console.log : console.error)(help);
    return chosen || verb === '' || verb === '--help' ? 0 : 2;
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: verb === 'join' || verb === 'approver',
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        json: { type: 'boolean' },
        service: { type: 'boolean' },
        ca: { type: 'string' },
        fingerprint: { type: 'string' },
        verbose: { type: 'boolean' },
        elevate: { type: 'boolean' },
        'stop-event': { type: 'string' },
        person: { type: 'string' },
      },
    });
    return await chosen({
      ...withCaVariable(values, process.env),
      ...(values['stop-event'] && { stopEvent: values['stop-event'] }),
      ...(verb === 'approver' && { words: positionals }),
      ...(verb === 'join' && { code: positionals.join('') }),
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof NotPossible ? 1 : 2;
  }
}

// Not awaited, because the single-file build is a script without top-level await.
void main(process.argv.slice(2)).then((code) => (process.exitCode = code));
