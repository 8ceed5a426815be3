/** All commands: one for every operation, and those that run on the machine of the server or of a device. */
import type { Operation } from '@drawbridge/contract/operation';
import { type OperationId, v1 } from '@drawbridge/contract/v1/index';

export interface ApiCommand {
  id: OperationId;
  /** The path in words: `team member access add`. */
  name: string;
  row: Operation;
}

export const apiCommands: ApiCommand[] = (Object.keys(v1) as OperationId[]).map((id) => ({
  id,
  name: id.replaceAll('/', ' '),
  row: v1[id],
}));

export interface LocalCommand {
  name: string;
  takes: string;
  says: string;
}

/** Run by this program. */
export const cliCommands: LocalCommand[] = [
  {
    name: 'login',
    takes: '--server URL --key KEY [--profile NAME] [--fingerprint SHA256 | --ca FILE]',
    says: 'Check a key and save it with its server.',
  },
  { name: 'profiles', takes: '', says: 'List the saved servers.' },
  {
    name: 'approver key',
    takes: '[--passphrase]',
    says: 'Show your key for devices with four eyes, create it if there is none, and encrypt it with a passphrase.',
  },
  {
    name: 'approve',
    takes: '[DEVICE] [--minutes N]',
    says: 'Approve, as the second person, sessions that wait on a device with four eyes, or on all of them.',
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    says: 'Print the script that completes commands in a shell.',
  },
];

/** Run by other programs on the machine of the server or of a device; listed here so that the help is complete. */
export const serverCommands: LocalCommand[] = [
  { name: 'start', takes: '[--roles api,gateway,relay,jobs]', says: 'Start the server.' },
  { name: 'relay start', takes: '', says: 'Start a relay in another region, without a database.' },
  { name: 'relay key', takes: '', says: 'Print the setting with which a relay serves this server.' },
  { name: 'account create', takes: '--email E', says: 'Create an account with its owner and a first key.' },
  { name: 'account list', takes: '', says: 'List the accounts of the server.' },
  {
    name: 'key create',
    takes: '--email E [--name N] [--expires 90d]',
    says: 'Create an API key for a person.',
  },
  {
    name: 'enroll create',
    takes: '--email OWNER [--group ID] [--uses N]',
    says: 'Create a token that lets devices join.',
  },
  {
    name: 'sign-in create',
    takes: '--email E [--account OWNER] [--forget-factors]',
    says: 'Create a one-time link for a person who cannot sign in.',
  },
  { name: 'plan set', takes: '--email E --computers N …', says: 'Set the plan of an account.' },
  { name: 'operator add', takes: '--email E', says: 'Make a person a server administrator.' },
  {
    name: 'operator remove',
    takes: '--email E [--force]',
    says: 'Remove a person from the server administrators.',
  },
  { name: 'operator list', takes: '', says: 'List the server administrators.' },
  { name: 'backup', takes: 'FILE', says: 'Copy the data into a file while the server runs.' },
  { name: 'restore', takes: 'FILE', says: 'Restore the data from a backup.' },
  {
    name: 'storage copy',
    takes: '--to object-storage|folders',
    says: 'Copy attached files and recordings into the object storage, or back.',
  },
  { name: 'secrets rotate', takes: '', says: 'Add a new key for stored secrets.' },
  { name: 'migrate', takes: '[--contract]', says: 'Bring the database to the newest schema.' },
  { name: 'doctor', takes: '', says: 'Check settings, data, certificate and network.' },
  { name: 'server show', takes: '', says: 'Show address, data folder and certificate of the server here.' },
  { name: 'audit verify', takes: '', says: 'Check the audit logs of all accounts.' },
  {
    name: 'service install',
    takes: '[--dry-run] [--root FOLDER]',
    says: 'Run the server as a service of systemd.',
  },
  { name: 'service status', takes: '[--json]', says: 'Show whether the service is installed and runs.' },
  {
    name: 'service uninstall',
    takes: '[--dry-run] [--root FOLDER]',
    says: 'Remove the service; settings and data stay.',
  },
  {
    name: 'agent run',
    takes: '--server URL --token T [--ca FILE | --fingerprint SHA256]',
    says: 'Make this machine a device, in the foreground.',
  },
  {
    name: 'agent install',
    takes: '--server URL --token T [--ca FILE | --fingerprint SHA256]',
    says: 'Make this machine a device, as a system service.',
  },
  { name: 'agent status', takes: '[--json]', says: 'Show the service and its account.' },
  { name: 'agent uninstall', takes: '', says: 'Remove the service and the key of the device.' },
  {
    name: 'agent join',
    takes: 'CODE --server URL [--ca FILE | --fingerprint SHA256]',
    says: 'Let someone help on this machine once.',
  },
  {
    name: 'simulate',
    takes: '--server URL --token T --agents N [--ca FILE | --fingerprint SHA256]',
    says: 'Run simulated devices.',
  },
];

const startsWith = (name: string, words: string): boolean => name === words || name.startsWith(`${words} `);

export const findCommand = (words: string[]): ApiCommand | undefined =>
  apiCommands.find(({ name }) => name === words.join(' '));

/** All commands that start with these words. */
export function commandsWithPrefix(words: string[]): { operations: ApiCommand[]; machine: LocalCommand[] } {
  const prefix = words.join(' ');
  return {
    operations: apiCommands.filter(({ name }) => startsWith(name, prefix)),
    machine: serverCommands.filter(({ name }) => startsWith(name, prefix)),
  };
}

export const allCommandNames = (): string[] =>
  [...apiCommands, ...cliCommands, ...serverCommands].map(({ name }) => name);
