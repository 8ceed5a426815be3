/** The command with which an administrator of the device decides who approves sessions on it. */
import { parseApproverKey, formatApproverKey, type Approver } from '@drawbridge/contract/session/approval';
import type { AgentArguments } from '../arguments.ts';
import { agentFolder } from '../folder.ts';
import { NotPossible } from '../platform/platform.ts';
import { requirePrivateFolder } from '../platform/private-folder.ts';
import { plainText } from '../session/plain-text.ts';
import { loadState } from '../state.ts';
import { loadApprovers, saveApprovers } from './approvers.ts';

const maxApprovers = 32;
const maxNameLength = 320;

const usage =
  'Use: approver add NAME KEY, approver list, or approver remove NAME. NAME is the e-mail address of the person; they get KEY with: drawbridge approver key';

export async function changeApprovers({ words = [] }: AgentArguments): Promise<number> {
  const folder = requirePrivateFolder(agentFolder());
  if (!loadState(folder))
    throw new NotPossible(
      `There is no agent in ${folder}. Run this as the user that the agent runs as: an administrator if it is a service.`,
    );
  const [verb, name = '', key = ''] = words;
  const known = loadApprovers(folder);
  if (verb === 'list' && words.length === 1) return printApprovers(known);
  if (verb === 'add' && words.length === 3) return save(folder, add(known, plainText(name), key));
  if (verb === 'remove' && words.length === 2) return save(folder, remove(known, name));
  throw new NotPossible(usage);
}

function add(known: readonly Approver[], name: string, text: string): Approver[] {
  const key = parseApproverKey(text);
  if (key === undefined)
    throw new NotPossible(
      'This is not the key of an approver. A key starts with dba1_; the person gets it with: drawbridge approver key',
    );
  if (name === '' || name.length > maxNameLength)
    throw new NotPossible(`The name must have 1 to ${maxNameLength} characters.`);
  if (known.some((each) => each.name === name || each.key === key))
    throw new NotPossible('This device has an approver with this name or this key already.');
  if (known.length >= maxApprovers)
    throw new NotPossible(`A device can have ${maxApprovers} approvers at the most.`);
  return [...known, { name, key }];
}

function remove(known: readonly Approver[], name: string): Approver[] {
  const rest = known.filter((each) => each.name !== name);
  if (rest.length === known.length) throw new NotPossible(`This device has no approver ${name}.`);
  return rest;
}

function save(folder: string, approvers: readonly Approver[]): number {
  saveApprovers(folder, approvers);
  return printApprovers(approvers);
}

function printApprovers(approvers: readonly Approver[]): number {
  for (const { name, key } of approvers) console.log(`${formatApproverKey(key)}  ${name}`);
  console.log(describeFourEyes(approvers.length));
  return 0;
}

/** One sentence for `status`, `doctor` and the list. */
export const describeFourEyes = (count: number): string =>
  count === 0
    ? 'Four eyes are off: sessions need no second person.'
    : `Four eyes are on: each new session needs the signature of one of ${count} approver${count === 1 ? '' : 's'}.`;
