/** The states of an invitation: 0 new, 1 the client joined, 2 the operator too, 3 closed. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { Actor } from './people/access.ts';

export type InvitationStatus = 0 | 1 | 2 | 3;
export type InvitationEvent =
  | 'client_joins'
  | 'client_leaves'
  | 'operator_joins'
  | 'operator_leaves'
  | 'close';

const [waiting, joined, active, closed] = [0, 1, 2, 3] as const;

export interface Invitation {
  id: number;
  accountId: number;
  /** The person who created it. */
  memberId: number | null;
  status: InvitationStatus;
  createTime: number;
  code: string;
  /** The secret that operator's URLs are derived from; never shown. */
  connectToken: string;
  clientName: string;
  clientOs: '' | 'win' | 'mac' | 'linux' | 'android';
  clientPreview: string;
  /** Whether an operator is present; without the client the invitation stays new. */
  operatorPresent: boolean;
  /** Whether anyone ever joined. */
  everJoined: boolean;
  /** The key of the client who is present. */
  clientKey: string;
  /** Whether somebody without an account has used the operator's URL. */
  connectUsed: boolean;
}

type InvitationState = Pick<Invitation, 'status' | 'operatorPresent' | 'everJoined'>;

/** Row: the current status. Column: the event. Cell: the next status. An absent cell is refused. */
const transitions: Record<
  InvitationStatus,
  Partial<Record<InvitationEvent, (state: InvitationState) => InvitationStatus>>
> = {
  [waiting]: {
    client_joins: ({ operatorPresent }) => (operatorPresent ? active : joined),
    operator_joins: () => waiting,
    operator_leaves: () => waiting,
    close: () => closed,
  },
  [joined]: { operator_joins: () => active, client_leaves: () => waiting, close: () => closed },
  [active]: { operator_leaves: () => joined, client_leaves: () => waiting, close: () => closed },
  [closed]: {},
};

/** The state of the invitation after an event, or why the event is not possible now. */
export function nextState(
  state: InvitationState,
  event: InvitationEvent,
): InvitationState | Fault<'invalid'> {
  const status = transitions[state.status][event]?.(state);
  if (status === undefined) return fault('invalid', refusal(state.status));
  return {
    status,
    operatorPresent:
      event === 'operator_joins' ||
      (state.operatorPresent && event !== 'operator_leaves' && status !== closed),
    everJoined: state.everJoined || event === 'client_joins' || event === 'operator_joins',
  };
}

const refusal = (status: InvitationStatus) =>
  status === closed
    ? { code: 'connection_closed', message: 'The connection is closed.' }
    : { code: 'invalid_request', message: 'The connection is in a state that does not allow this.' };

/** An invitation that nobody joined is closed after some days. Derived, so that no job can be late. */
export const statusAt = (invitation: Invitation, now: number, lifetime: number): InvitationStatus =>
  invitation.status === waiting && !invitation.everJoined && now >= invitation.createTime + lifetime
    ? closed
    : invitation.status;

export const isOpen = (status: InvitationStatus): boolean => status !== closed;

/** Technicians with access to their own invitations do not see those of others. */
export const isVisibleTo = (invitation: Invitation, actor: Actor, scope: 'all' | 'own'): boolean =>
  scope === 'all' || invitation.memberId === actor.memberId;
