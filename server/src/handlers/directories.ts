/** Team: directories. One function per row of contract/src/v1/directories.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Input } from '@drawbridge/contract/operation';
import type { directories as table } from '@drawbridge/contract/v1/directories';
import type { ChangedSettings, DirectorySettings } from '../domain/people/directory-connection.ts';
import type { ImportReport } from '../domain/people/directory-report.ts';
import type { Handlers } from './handler.ts';

const missing = fault('not_found', { field: 'id' });

export const directoryHandlers: Handlers<typeof table> = {
  'team/directory/list': async ({ actor }, { store }) => {
    const found = await store.directories.list(actor.accountId);
    return {
      data: found.map((directory) => ({
        id: directory.id,
        ...settingsView(directory),
        last_time: directory.lastTime ?? 0,
        last_problem: directory.lastProblem,
        next_time: directory.nextTime ?? 0,
      })),
    };
  },

  'team/directory/create': async ({ actor, input: { bind_password, ...input }, change }) =>
    change('directories/create', {
      accountId: actor.accountId,
      by: actor.memberId,
      bindPassword: bind_password,
      settings: toSettings(input),
    }),

  'team/directory/update': async ({ actor, input: { id, bind_password, ...input }, change }) =>
    change('directories/update', {
      accountId: actor.accountId,
      by: actor.memberId,
      id,
      bindPassword: bind_password,
      settings: toSettings(input),
    }),

  'team/directory/remove': async ({ actor, input, change }) =>
    change('directories/remove', { accountId: actor.accountId, ...input }),

  'team/directory/plan': async ({ actor, input }, { store, readDirectory }) => {
    const { accountId, memberId: by } = actor;
    const connection = await store.directories.connection(accountId, input.id);
    if (!connection) return missing;
    const reading = await readDirectory(accountId, connection);
    if (isFault(reading)) return reading;
    const report = await store.directories.plan({ accountId, id: input.id, by }, reading);
    return report ? { data: reportView(report) } : missing;
  },

  'team/directory/run': async ({ actor, input, change }, { store, readDirectory }) => {
    const { accountId, memberId: by } = actor;
    const connection = await store.directories.connection(accountId, input.id);
    if (!connection) return missing;
    const reading = await readDirectory(accountId, connection);
    if (isFault(reading)) return reading;
    const { id, confirm_removals: isConfirmed, removed_percent: shownPercent = 100 } = input;
    const confirmedPercent = isConfirmed ? shownPercent : 0;
    const report = await change('directories/apply', { accountId, id, by, reading, confirmedPercent });
    return isFault(report) ? report : { data: reportView(report) };
  },
};

type SettingsInput = Omit<Input<(typeof table)['team/directory/update']>, 'id' | 'bind_password'>;

type WholeSettings = Omit<Input<(typeof table)['team/directory/create']>, 'bind_password'>;

function toSettings(input: WholeSettings): DirectorySettings;
function toSettings(input: SettingsInput): ChangedSettings;
function toSettings(input: SettingsInput): ChangedSettings {
  return {
    name: input.name,
    url: input.url,
    ca: input.ca_cert,
    bindDn: input.bind_dn,
    base: input.base,
    personFilter: input.person_filter,
    groupFilter: input.group_filter,
    adopt: input.adopt,
    signIn: input.sign_in,
    everyMinutes: input.every_minutes,
    removalPercent: input.removal_percent,
  };
}

const settingsView = (settings: DirectorySettings) => ({
  name: settings.name,
  url: settings.url,
  ca_cert: settings.ca,
  bind_dn: settings.bindDn,
  base: settings.base,
  person_filter: settings.personFilter,
  group_filter: settings.groupFilter,
  adopt: settings.adopt,
  sign_in: settings.signIn,
  every_minutes: settings.everyMinutes,
  removal_percent: settings.removalPercent,
});

const maxListedChanges = 1_000;

const reportView = ({ problem, removedPercent, changes }: ImportReport) => ({
  problem,
  removed_percent: Math.ceil(removedPercent),
  counts: [...Map.groupBy(changes, ({ kind }) => kind)].map(([kind, some]) => ({ kind, count: some.length })),
  changes: changes.slice(0, maxListedChanges).map(({ kind, person, department, detail }) => ({
    kind,
    ...(person !== '' && { person }),
    ...(department !== '' && { department }),
    ...(detail !== '' && { detail }),
  })),
});
