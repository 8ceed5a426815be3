/** Approves sessions on devices with four eyes: shows what is to be signed, compares the code of the operator, and signs. */
import { sign, type KeyObject } from 'node:crypto';
import type { Approval } from '@drawbridge/contract/session/approval';
import { decodeBody, encodeBody, signedBytes, withSignature } from '@drawbridge/contract/session/signed';
import { readApproverKey } from './approver-key.ts';
import { callServer } from '../call.ts';
import type { FlagValue, GlobalOptions } from '../command-line.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type CliFailure, isCliFailure, usageFailure } from '../failure.ts';
import { resolveTarget, type ServerTarget } from '../target.ts';
import { padToWidth, sanitize, valueText } from '../text.ts';

/** The flags of the command. */
export const approveFlags = new Map([['minutes', 'value']] as const);

interface SignedSession {
  session: number;
  /** The name of this person on the device. */
  approver: string;
}

interface Approving {
  target: ServerTarget;
  key: KeyObject;
  /** When the approval ends, in Unix seconds; undefined for as long as the device allows. */
  until: number | undefined;
}

/** A session that waits on a device. */
interface WaitingSession {
  agentId: number;
  statement: Approval;
}

const maxMinutes = 240;

/** Asks about each session that waits on the device, or on all devices that the person may see. */
export async function approveSessions(
  [, device = '', ...more]: string[],
  { options, flags }: { options: GlobalOptions; flags: FlagValue[] },
  context: CliContext,
): Promise<{ data: SignedSession[] } | CliFailure> {
  if (!/^([1-9]\d{0,14})?$/.test(device) || more.length > 0)
    return usageFailure('approve takes the number of one device: drawbridge approve 12');
  const until = untilOf(flags);
  if (isCliFailure(until)) return until;
  const key = await readApproverKey(context);
  if (isCliFailure(key)) return key;
  if (!key) return usageFailure('You have no key yet. Create it with: drawbridge approver key');
  const target = await resolveTarget(options, context);
  if (isCliFailure(target)) return target;
  const agentId = device === '' ? undefined : Number(device);
  const waiting = await readWaiting(target, agentId);
  if (isCliFailure(waiting)) return waiting;
  if (waiting.length === 0) return { exit: exitCodes.refused, says: nothingWaits(agentId) };
  return approveAll({ target, key, until }, waiting, context);
}

const nothingWaits = (agentId: number | undefined): string =>
  agentId === undefined
    ? 'No session of somebody else waits for an approval on your devices.'
    : 'No session waits for an approval on this device.';

function untilOf(flags: readonly FlagValue[]): number | undefined | CliFailure {
  const text = flags.findLast(({ name }) => name === 'minutes')?.text;
  if (text === undefined) return undefined;
  const minutes = Number(text);
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= maxMinutes
    ? Math.floor(Date.now() / 1_000) + minutes * 60
    : usageFailure(`--minutes must be a whole number from 1 to ${maxMinutes}.`);
}

async function readWaiting(
  target: ServerTarget,
  device: number | undefined,
): Promise<WaitingSession[] | CliFailure> {
  const params = device === undefined ? {} : { agent_id: device };
  const { body, failure } = await callServer(target, 'agents/approval/list', params);
  if (failure) return failure;
  const rows = Array.isArray(body['data'])
    ? (body['data'] as { agent_id?: unknown; statement?: unknown }[])
    : [];
  return rows.flatMap((row) => {
    const statement = decodeBody('approval', String(row.statement));
    // A server of an earlier version names no device in each row.
    const agentId = device ?? Number(row.agent_id);
    return statement ? [{ agentId, statement }] : [];
  });
}

async function approveAll(
  approving: Approving,
  waiting: readonly WaitingSession[],
  context: CliContext,
): Promise<{ data: SignedSession[] } | CliFailure> {
  const data: SignedSession[] = [];
  for (const { agentId, statement: offered } of waiting) {
    const statement = { ...offered, until: Math.min(offered.until, approving.until ?? Infinity) };
    const whyNot = await whyNotSigned(statement, context);
    if (whyNot !== undefined) {
      context.err(`${whyNot}\n`);
      continue;
    }
    const sent = await send(approving, { agentId, statement });
    if (isCliFailure(sent)) return sent;
    data.push(sent);
  }
  return data.length > 0 ? { data } : { exit: exitCodes.refused, says: 'Nothing was signed.' };
}

/** The code is not shown: only the operator can tell it, and it proves that this is their session. */
async function whyNotSigned(statement: Approval, context: CliContext): Promise<string | undefined> {
  context.err(describe(statement));
  const answer = await context.ask(
    'Ask the operator for the code in their window, in person or by phone, and enter it to approve; enter nothing to skip: ',
  );
  const digits = answer.replace(/\D/g, '');
  if (digits === '') return 'Skipped: nothing was signed.';
  return digits === statement.code.replace(/\D/g, '')
    ? undefined
    : 'This is not the code of this session. Somebody else may be connecting: nothing was signed.';
}

/** All fields of what is signed, except the code and the nonce. */
function describe(statement: Approval): string {
  const fields: [string, string][] = [
    ['Device', `${statement.name} (${statement.agent}), key ${statement.device_key}`],
    ['Operator', statement.operator],
    ['Reason', statement.reason === '' ? '-' : statement.reason],
    ['May', statement.permissions.join(', ') || '-'],
    ['Recorded', valueText('record', statement.record)],
    ['Until', valueText('until_time', statement.until)],
    ['Session', `${statement.session}, key ${statement.operator_key}`],
  ];
  return fields.map(([name, text]) => `${padToWidth(name, 10)}${sanitize(text)}\n`).join('');
}

/** Signs exactly the fields that were shown: what else the server sent is not part of the statement. */
async function send(
  { target, key }: Approving,
  { agentId, statement }: WaitingSession,
): Promise<SignedSession | CliFailure> {
  const body = encodeBody('approval', statement);
  const approval = withSignature(body, sign(null, signedBytes('approval', body), key));
  const reply = await callServer(target, 'agents/approval/sign', { agent_id: agentId, approval });
  if (reply.failure) return reply.failure;
  return { session: statement.session, approver: String(reply.body['approver']) };
}
