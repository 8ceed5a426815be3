/** Lets a session on a device with four eyes wait for a second person, and ends it when the approval ends. */
import type { ApprovedSession } from '../four-eyes/approvals.ts';
import { NotPossible } from '../platform/platform.ts';
import type { AgentSessionState } from './agent-session-state.ts';

/** How often the clock on the wall is read, which can jump while the device sleeps. */
const deadlineCheckMs = 10_000;
const maxNamesLength = 200;

/** Undefined if the session needs no approval. Until it resolves, the operator is told nothing but what is awaited. */
export async function obtainApproval(
  state: AgentSessionState,
  code: string,
  token: string | undefined,
): Promise<ApprovedSession | { refused: string } | undefined> {
  const { grant, connection, ended } = state;
  const { approvals, agentId } = state.options;
  if (!approvals?.isRequired()) return undefined;
  const names = approvals.names().join(', ');
  const who = names.length <= maxNamesLength ? ` (${names})` : '';
  const message = `This device needs the approval of a second person${who}. Give them the code ${code} and let them run: drawbridge approve ${agentId()}`;
  const onWait = (): void => {
    connection.sendState({ ...nothingYet, message });
    state.log('waits for the approval of a second person');
  };
  const approved = await approvals.obtain({ grant, code, token, signal: ended.signal, onWait });
  if ('refused' in approved)
    connection.sendState({ ...nothingYet, phase: 'refused', message: approved.refused });
  else keepDeadline(state, approved.until);
  return approved;
}

const nothingYet = {
  phase: 'asking',
  awaits: 'approval',
  permissions: [] as string[],
  unable: {},
  recording: false,
  os: '',
  home: '',
} as const;

/** Neither the server nor a clock that is set back prolongs the session. */
function keepDeadline({ options, connection, cleanups }: AgentSessionState, until: number): void {
  const { clock, now } = options;
  const deadline = clock.now() + (until - now()) * 1_000;
  let stop = (): void => {};
  const check = (): void => {
    const left = Math.min(deadline - clock.now(), (until - now()) * 1_000);
    if (left <= 0)
      return connection.end({ by: 'device', message: 'The approval of the session has ended.', back: false });
    stop = clock.after(Math.min(left, deadlineCheckMs), check);
  };
  check();
  cleanups.push(() => stop());
}

/** What was approved says whether the session is recorded. */
export function requireApprovedRecording({ approved }: AgentSessionState): void {
  if (approved && !approved.record)
    throw new NotPossible('The second person approved this session without a recording.');
}
