/** How a connection of the operator ended, and what follows. */
import type { SessionProblem } from '@drawbridge/contract/session/problem';
import type { RelayClose } from '../ports.ts';
import type { ConnectionState } from './session.ts';

export type ConnectionOutcome =
  | { next: 'over'; state: ConnectionState }
  | { next: 'again'; retryTimeoutMs: number; message: string }
  | { next: 'blocked'; key: string };

const dropTimeoutMs = 60_000;

export const retryOutcome = (message = '', retryTimeoutMs = dropTimeoutMs): ConnectionOutcome => ({
  next: 'again',
  retryTimeoutMs,
  message,
});
export const endedOutcome = (state: Omit<ConnectionState, 'phase'>): ConnectionOutcome => ({
  next: 'over',
  state: { phase: 'ended', ...state },
});
export const faultOutcome = (problem: SessionProblem): ConnectionOutcome =>
  endedOutcome({ message: '', problem, by: 'fault' });

export const outcomeOfClose = ({ reason, isEndedByServer }: RelayClose): ConnectionOutcome =>
  isEndedByServer ? endedOutcome({ message: reason, by: 'server' }) : retryOutcome();

export function outcomeOfProblem(found: SessionProblem, ending: AbortSignal): ConnectionOutcome {
  if (ending.aborted) return endedOutcome({ message: '', by: 'operator' });
  if (found.code === 'changed_key') return { next: 'blocked', key: found.message };
  if (found.code === 'ended') return endedOutcome({ message: found.message, by: 'server' });
  return found.code === 'network' || found.code === 'offline' ? retryOutcome() : faultOutcome(found);
}
