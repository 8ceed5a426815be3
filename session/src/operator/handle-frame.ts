/** Handles the frames that a device sends to its operator. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { createProblem } from '@drawbridge/contract/session/problem';
import type { Payload } from '../payloads.ts';
import type { ConnectionParts, SessionContext } from './context.ts';
import { endedOutcome, retryOutcome } from './outcome.ts';

/** A device that reboots, or a client that starts the program, may take this long. */
const returnTimeoutMs = 600_000;

type Handlers = {
  [Kind in FrameKindName]?: (context: SessionContext, parts: ConnectionParts, payload: Payload<Kind>) => void;
};

/** Frames about the session itself. All frames also go to the subscribers. */
const handlers: Handlers = {
  ping: (_context, { channel }, number) => channel.send('pong', number),
  pong: (_context, { heartbeat }, number) => heartbeat.pong(number),
  direct: (_context, { transport }, signal) => transport.receiveSignal(signal),
  state: applyState,
  end: applyEnd,
};

function applyEnd(
  context: SessionContext,
  { finish }: ConnectionParts,
  { by, message, back }: SessionMessage<'end'>,
): void {
  if (!back) return finish(endedOutcome({ message, by: by === 'operator' ? 'device' : by }));
  // The client announces on the sealed channel that it continues with another program, which has a key of its own.
  if (context.sessionState.current.device.id === 0) context.shownKey = undefined;
  finish(retryOutcome(message, returnTimeoutMs));
}

export function handleFrame<Kind extends FrameKindName>(
  context: SessionContext,
  parts: ConnectionParts,
  kind: Kind,
  payload: Payload<Kind>,
): void {
  const handle = handlers[kind] as
    | ((context: SessionContext, parts: ConnectionParts, payload: unknown) => void)
    | undefined;
  handle?.(context, parts, payload);
  context.emitter.emit(kind, payload);
}

function applyState(context: SessionContext, parts: ConnectionParts, message: SessionMessage<'state'>): void {
  const { sessionState } = context;
  if (message.phase === 'refused') {
    const problem = createProblem('refused', message.message);
    return parts.finish(endedOutcome({ message: message.message, problem, by: 'device' }));
  }
  const { device: known, client } = sessionState.current;
  context.approval = message.approval ?? context.approval;
  sessionState.update({
    state: { phase: message.phase, message: message.message, awaits: message.awaits },
    permissions: new Set(message.phase === 'live' ? message.permissions : []),
    unable: message.unable,
    recording: message.recording,
    // Of a client that joined after the operator, nobody else has told so.
    client: client && 'joined',
    device: { ...known, os: message.os || known.os, home: message.home },
    deviceVersion: message.protocol ?? 1,
    capabilities: new Set(message.capabilities),
  });
  if (message.phase !== 'live') return;
  context.lostAt = undefined;
  parts.transport.tryDirect();
}
