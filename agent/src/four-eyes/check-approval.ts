/** Decides whether a signed approval counts for a session that waits: who signed it, for whom, for what and until when. */
import { isSamePerson, type Approval, type Approver } from '@drawbridge/contract/session/approval';
import { decodeBody, signedBytes, splitSigned } from '@drawbridge/contract/session/signed';
import { nodeCrypto } from '@drawbridge/session/node/crypto';

interface ApprovalCheck {
  /** The statement of the session that waits under this number. */
  awaited(session: number): Approval | undefined;
  deviceKey: string;
  approvers: readonly Approver[];
  /** Unix time in seconds, by the clock of the device. */
  now: number;
}

interface CheckedApproval {
  statement: Approval;
  approver: Approver;
}

export async function checkApproval(
  signed: string,
  { awaited, deviceKey, approvers, now }: ApprovalCheck,
): Promise<CheckedApproval | { refused: string }> {
  const parts = splitSigned(signed);
  const statement = parts && decodeBody('approval', parts.body);
  if (!statement) return { refused: 'The approval is not in a format that this agent supports.' };
  const approver = await findSigner(parts, approvers);
  if (!approver) return { refused: 'The approval is not signed by an approver of this device.' };
  if (statement.device_key !== deviceKey) return { refused: 'The approval is for another device.' };
  const expected = awaited(statement.session);
  if (!expected) return { refused: 'No session waits for this approval.' };
  const refused = whyNot(statement, expected, approver, now);
  return refused === undefined ? { statement, approver } : { refused };
}

async function findSigner(
  { body, signature }: NonNullable<ReturnType<typeof splitSigned>>,
  approvers: readonly Approver[],
): Promise<Approver | undefined> {
  const message = signedBytes('approval', body);
  for (const approver of approvers)
    if (await nodeCrypto.verify(approver.key, signature, message)) return approver;
  return undefined;
}

function whyNot(signed: Approval, expected: Approval, approver: Approver, now: number): string | undefined {
  const differs = (...names: (keyof Approval)[]): boolean =>
    names.some((name) => signed[name] !== expected[name]);
  if (differs('nonce')) return 'The approval was signed for an earlier request.';
  if (differs('operator', 'operator_key', 'code')) return 'The approval is for another operator.';
  if (isSamePerson(approver.name, expected.operator)) return 'Operators cannot approve their own sessions.';
  if (signed.permissions.some((each) => !expected.permissions.includes(each)))
    return 'The approval allows more than the session asks for.';
  if (differs('agent', 'name', 'record', 'reason'))
    return 'The approval is for something else than the session asks for.';
  if (signed.until > expected.until) return 'The approval lasts longer than the device allows.';
  return signed.until <= now ? 'The approval has ended.' : undefined;
}
