/** One try to reach the other side through the relay: from the ticket to keys that nobody else has. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { Clock } from './clock.ts';
import { hearHello, type Greeted } from './hello.ts';
import type { Bytes, SessionKey } from './keys.ts';
import { openLine, type Line, type LineEnd, type LineListener } from './line.ts';
import { isProblem, createProblem, type SessionProblem } from './session.ts';

export interface Reaching {
  opened: OpenReply;
  key: SessionKey;
  /** The key this browser knows the device by. */
  knownKey: string | undefined;
  signal: AbortSignal;
  after: Clock['after'];
}

export type Reached = Greeted & { line: Line };

/** A device answers at once; a client that was invited comes when it comes. */
const pairMs = 30_000;
const helloMs = 20_000;

const toProblem = ({ sentence }: LineEnd): SessionProblem =>
  sentence === undefined ? createProblem('network') : createProblem('ended', sentence);

const tooEarly = createProblem('broken', 'something came before the greeting was over');

/** `after` hears what comes once the other side was found to be who it is. */
export async function reach(
  { opened, key, knownKey, signal, after: later }: Reaching,
  after: Pick<LineListener, 'frame' | 'closed'>,
): Promise<Reached | SessionProblem> {
  const first = Promise.withResolvers<Bytes | SessionProblem>();
  let phase: 'greeting' | 'greeted' | 'gone' = 'greeting';
  let stop = (): void => {};
  let count = 0;
  /** A device that has said hello waits for its answer: somebody else said more. */
  const greet = (frame: Bytes): void => {
    count += 1;
    first.resolve(frame);
  };
  const limit = (ms: number): void => {
    stop();
    stop = later(ms, () => first.resolve(createProblem('offline')));
  };
  if (opened.device.key !== undefined) limit(pairMs);
  const line = openLine(opened, {
    paired: () => limit(helloMs),
    frame: (frame) => (phase === 'greeted' ? after.frame(frame) : greet(frame)),
    closed(closing) {
      if (phase === 'greeted') after.closed(closing);
      phase = 'gone';
      first.resolve(toProblem(closing));
    },
  });
  if (signal.aborted) first.resolve(createProblem('ended'));
  signal.addEventListener('abort', () => first.resolve(createProblem('ended')), { once: true });
  const frame = await first.promise;
  stop();
  const greeted = isProblem(frame) ? frame : await hearHello(frame, opened, key, knownKey);
  const answer = (phase as string) === 'gone' ? createProblem('network') : count > 1 ? tooEarly : greeted;
  if (isProblem(answer)) {
    line.close();
    return answer;
  }
  phase = 'greeted';
  return { ...answer, line };
}
