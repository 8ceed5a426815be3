/** The operators who are connected to this page. Each is admitted only after the person has agreed. */
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Clock } from '@drawbridge/session/ports';
import { acceptSession, type DeviceSession, type SessionRequest } from './accept-session.ts';
import type { DeviceSessionState } from '@drawbridge/session/device';
import type { SigningKey } from '@drawbridge/session/ports';
import { isProblem } from '@drawbridge/contract/session/problem';
import { toBrowserAbilities, type BrowserCapabilities } from './browser-abilities.ts';
import type { System } from './browser-info.ts';
import { joinTexts } from './texts.ts';

export interface ConnectedOperator {
  session: DeviceSession;
  name: string;
  address: string;
  /** The view settings that the operator has sent so far. */
  view: SessionMessage<'view'>;
  isLive: boolean;
}

export interface ConnectedOperators {
  /** Accepts the session of an operator and asks the person. */
  receive(request: SessionRequest, serverKey: string): Promise<void>;
  live(): ConnectedOperator[];
  /** Tells all operators what the page can do now. */
  sendState(): void;
  /** The names of operators whose connection was lost and who can come back without a question. */
  away(): string[];
  end(operator: ConnectedOperator, message: string): void;
  endAll(message: string): void;
  /** Interrupts the sessions of all: they continue with the program. */
  interruptAll(message: string): void;
}

export interface ConnectedOperatorsOptions {
  key: SigningKey;
  clock: Clock;
  system: System;
  capabilities(): BrowserCapabilities;
  /** Asks the person; the signal withdraws the question. */
  ask(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  onJoined(operator: ConnectedOperator): void;
  onLeft(operator: ConnectedOperator): void;
  /** A connection was lost, so the connection to the lobby may be lost too. */
  onLost(): void;
}

/** After this the server does not resume a session, and nobody waits for the operator. */
export const returnTimeoutMs = 600_000;

/** Frames for what no browser can do. The operator's page does not offer it, but may send them. */
const unsupportedKinds = (Object.keys(frameKinds) as FrameKindName[]).filter((kind) => {
  const { from, permission } = frameKinds[kind];
  const supported = ['agent_connect', 'agent_chat', 'agent_audio_calls', 'agent_app_install_request'];
  const isSupported = permission === null || (kind !== 'sound' && supported.includes(permission));
  return from !== 'device' && !isSupported;
});

interface OperatorsState {
  options: ConnectedOperatorsOptions;
  operators: Set<ConnectedOperator>;
  /** The operator that was allowed, by session: one that only lost the connection is let in without asking again. */
  consents: Map<number, string>;
  /** Those whose connection was lost, by session. */
  away: Map<number, AwayOperator>;
}

interface AwayOperator {
  name: string;
  /** When the connection was lost. */
  lostAt: number;
}

export function createConnectedOperators(options: ConnectedOperatorsOptions): ConnectedOperators {
  const state: OperatorsState = { options, operators: new Set(), consents: new Map(), away: new Map() };
  return {
    receive: (request, serverKey) => receive(state, request, serverKey),
    live: () => liveOperators(state),
    sendState: () => sendState(state),
    away: () => namesAway(state),
    end: (operator, message) => end(state, operator, message),
    endAll: (message) => [...state.operators].forEach((operator) => end(state, operator, message)),
    interruptAll: (message) => [...state.operators].forEach(({ session }) => session.interrupt(message)),
  };
}

async function receive(state: OperatorsState, request: SessionRequest, serverKey: string): Promise<void> {
  const { operators, options } = state;
  const { key, clock } = options;
  const session = await acceptSession(request, { key, serverKey, clock });
  if (isProblem(session)) return;
  for (const previous of operators)
    if (previous.session.grant.session === session.grant.session) previous.session.end('', 'fault');
  const operator: ConnectedOperator = { session, ...session.grant.operator, view: {}, isLive: false };
  operators.add(operator);
  void session.ended.then(({ by }) => remove(state, operator, by));
  if (!(await mayJoin(state, operator))) return refuse(state, operator);
  if (operators.has(operator)) admit(state, operator);
}

const consentOf = ({ name, address }: ConnectedOperator): string => `${name} ${address}`;

async function mayJoin({ options, consents }: OperatorsState, operator: ConnectedOperator): Promise<boolean> {
  const { session } = operator;
  if (consents.get(session.grant.session) === consentOf(operator)) return true;
  const gone = new AbortController();
  void session.ended.then(() => gone.abort());
  session.sendState(stateOf(options, operator, 'asking', joinTexts.state.asking));
  return options.ask(operator, gone.signal);
}

function refuse({ options }: OperatorsState, operator: ConnectedOperator): void {
  const { session } = operator;
  session.sendState(stateOf(options, operator, 'refused', joinTexts.state.refused));
  session.end(joinTexts.state.refused);
}

function admit(state: OperatorsState, operator: ConnectedOperator): void {
  const { options, consents } = state;
  const { session } = operator;
  // The same person may have opened a new link instead of coming back.
  for (const [number, { name }] of state.away) if (name === operator.name) state.away.delete(number);
  consents.set(session.grant.session, consentOf(operator));
  operator.isLive = true;
  for (const kind of unsupportedKinds)
    session.on(kind, () => session.send('refused', { kind, message: joinTexts.unable.needsProgram }));
  options.onJoined(operator);
  session.sendState(stateOf(options, operator, 'live'));
  sendPeople(state);
}

function remove(state: OperatorsState, operator: ConnectedOperator, by: string): void {
  const { options, operators, consents } = state;
  operators.delete(operator);
  const { grant } = operator.session;
  // An operator who ended the session on purpose has to ask again.
  if (by !== 'fault') consents.delete(grant.session);
  if (by === 'fault' && operator.isLive)
    state.away.set(grant.session, { name: operator.name, lostAt: options.clock.now() });
  else state.away.delete(grant.session);
  if (operator.isLive) options.onLeft(operator);
  operator.isLive = false;
  sendPeople(state);
  if (by === 'fault') options.onLost();
}

function namesAway({ away, options }: OperatorsState): string[] {
  const now = options.clock.now();
  const awaited = [...away.values()].filter(({ lostAt }) => now - lostAt < returnTimeoutMs);
  return [...new Set(awaited.map(({ name }) => name))];
}

function end({ consents }: OperatorsState, { session }: ConnectedOperator, message: string): void {
  consents.delete(session.grant.session);
  session.end(message);
}

const liveOperators = ({ operators }: OperatorsState): ConnectedOperator[] =>
  [...operators].filter(({ isLive }) => isLive);

function sendState(state: OperatorsState): void {
  for (const operator of liveOperators(state))
    operator.session.sendState(stateOf(state.options, operator, 'live'));
}

function stateOf(
  { capabilities, system }: ConnectedOperatorsOptions,
  { session }: ConnectedOperator,
  phase: DeviceSessionState['phase'],
  message = '',
): DeviceSessionState {
  const abilities =
    phase === 'live'
      ? toBrowserAbilities(session.grant.permissions, capabilities())
      : { permissions: [], unable: {} };
  return { phase, message, ...abilities, recording: false, os: system, home: '' };
}

function sendPeople(state: OperatorsState): void {
  const live = liveOperators(state);
  for (const { session } of live)
    session.send('people', {
      people: live.map(({ name, session: other }, seat) => ({
        seat,
        name,
        driver: false,
        you: other === session,
      })),
    });
}
