/** What a second person signs so that a device with four eyes opens a session, and how people are told apart. */
import * as z from 'zod';
import { list } from '../list.ts';

const ed25519Key = z.base64url().length(43);

/** The device writes it, and opens the session only if an approver signs it. Approvers may shorten `until` and `permissions`. */
export const approval = z.object({
  v: z.literal(1),
  /** The number by which the account knows the device, and its name there. */
  agent: z.int().min(1),
  name: z.string().max(320),
  /** The Ed25519 key of the device. */
  device_key: ed25519Key,
  session: z.int().min(1),
  /** The operator as the server named them: only the code proves who it is. */
  operator: z.string().max(320),
  /** The X25519 key of the operator's session. */
  operator_key: z.base64url().length(43),
  /** The code that the operator sees too. */
  code: z.string().regex(/^\d{4} \d{4} \d{4}$/),
  permissions: list(z.string().max(64), { max: 64 }),
  /** Whether the session is recorded. */
  record: z.boolean(),
  reason: z.string().max(1_000),
  /** When the device ends the session, in Unix seconds. */
  until: z.int().min(0),
  /** 32 random bytes of the device. */
  nonce: z.base64url().length(43),
});
export type Approval = z.output<typeof approval>;

/** The longest statement with its signature. */
export const maxApprovalLength = 12_288;

/** How long a session waits for a second person, in seconds. */
export const approvalWaitSeconds = 600;

/** How many sessions of a device can wait at the same time. */
export const maxWaitingApprovals = 16;

/** The longest time for which an approval counts, in seconds. */
export const maxApprovalSeconds = 4 * 3_600;

const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Whether an approver is the operator, who may be named with an addition such as `a@b.example, by a one-time link`. */
export const isSamePerson = (approver: string, operator: string): boolean =>
  fold(operator) === fold(approver) || fold(operator).startsWith(`${fold(approver)},`);

const keyPattern = /^dba1_([A-Za-z0-9_-]{43})$/;

/** The Ed25519 key of an approver as people copy it from the command line to the device. */
export const formatApproverKey = (publicKey: string): string => `dba1_${publicKey}`;

export const parseApproverKey = (text: string): string | undefined => keyPattern.exec(text.trim())?.[1];

/** The approvers of a device: `name` is the e-mail address or another name of the person. */
export const approverList = list(z.object({ name: z.string().min(1).max(320), key: ed25519Key }), {
  max: 32,
});
export type Approver = z.output<typeof approverList>[number];
