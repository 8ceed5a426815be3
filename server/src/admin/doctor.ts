/** `doctor`: checks everything that the service depends on, and says how to fix each problem. */
import { loadConfig, type Config } from '../config/config.ts';
import { serverRoles } from '../config/server-roles.ts';
import type { Finding } from '../store/engine/database.ts';
import { busChecks } from './checks/bus.ts';
import { certificateChecks } from './checks/certificate.ts';
import { databaseChecks } from './checks/database.ts';
import { folderChecks } from './checks/folder.ts';
import { mailChecks } from './checks/mail.ts';
import { objectStorageChecks } from './checks/object-storage.ts';
import { relayChecks } from './checks/relays.ts';
import { serverChecks } from './checks/server.ts';
import type { AdminCommand, ProcessContext } from './command.ts';

export const doctorCommand: AdminCommand = {
  name: 'doctor',
  says: 'Check settings, data, database, bus, certificate, disk, mail, object storage, relays and the running server.',
  options: {},
  async run(_args, context) {
    const checks = await runChecks(context);
    const ok = checks.every(({ state }) => state !== 'problem');
    return { data: { ok, checks }, says: checks.map(lineOf).join('\n'), exit: ok ? 0 : 1 };
  },
};

async function runChecks(context: ProcessContext): Promise<Finding[]> {
  const { config, problems } = await loadConfig({ env: context.env, cwd: context.folder });
  if (!config) return problems.map((says) => ({ name: 'settings', state: 'problem', says }));
  const now = Date.now();
  return [
    { name: 'settings', state: 'ok', says: `They are valid; the data folder is ${config.data}.` },
    ...rolesFinding(config),
    ...folderChecks(config),
    ...(await databaseChecks(config, now)),
    ...(await busChecks(config, context)),
    ...(await certificateChecks(config, now)),
    ...(await mailChecks(config)),
    ...(await objectStorageChecks(config)),
    ...(await relayChecks(config, context)),
    ...(await serverChecks(config)),
  ];
}

/** Nothing for a server that does everything. */
const rolesFinding = ({ roles }: Config): Finding[] =>
  roles.length === serverRoles.length
    ? []
    : [
        {
          name: 'roles',
          state: 'ok',
          says: `This process is ${roles.join(', ')}; other servers must have the rest.`,
        },
      ];

const lineOf = ({ name, state, says }: Finding): string => `${state.padEnd(7)}  ${name}: ${says}`;
