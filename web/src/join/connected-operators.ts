/** The operators who are connected to this page: each is let in only when the person has agreed. */
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Clock } from '../session/clock.ts';
import { acceptSession, type DeviceSession, type SessionRequest } from '../session/device.ts';
import type { DeviceKeyPair } from '../session/keys.ts';
import { isProblem } from '../session/session.ts';
import { toBrowserAbilities, type BrowserCapabilities } from './browser-abilities.ts';
import type { System } from './browser-info.ts';
import { joinTexts } from './texts.ts';

export interface ConnectedOperator {
  session: DeviceSession;
  name: string;
  address: string;
  /** What the operator wants to see, as far as it was said. */
  view: SessionMessage<'view'>;
  isLive: boolean;
}

export interface ConnectedOperators {
  /** An operator is on the way. */
  receive(request: SessionRequest, serverKey: string): Promise<void>;
  live(): ConnectedOperator[];
  /** Tells everybody what the page can do now. */
  sendState(): void;
  end(operator: ConnectedOperator, message: string): void;
  endAll(message: string): void;
}

export interface ConnectedOperatorsOptions {
  key: DeviceKeyPair;
  clock: Clock;
  system: System;
  capabilities(): BrowserCapabilities;
  /** Asks the person; the signal takes the question back. */
  ask(operator: ConnectedOperator, signal: AbortSignal): Promise<boolean>;
  onJoined(operator: ConnectedOperator): void;
  onLeft(operator: ConnectedOperator): void;
  /** A connection was lost without a word: perhaps the line to the server was too. */
  onLost(): void;
}

/** What no browser does; the operator's page does not offer it, but may send it all the same. */
const unsupportedKinds = (Object.keys(frameKinds) as FrameKindName[]).filter((kind) => {
  const { from, permission } = frameKinds[kind];
  const isOwn = ['agent_connect', 'agent_chat', 'agent_audio_calls', 'agent_app_install_request'];
  return from !== 'device' && permission !== null && !isOwn.includes(permission);
});

export function createConnectedOperators(options: ConnectedOperatorsOptions): ConnectedOperators {
  const operators = new Set<ConnectedOperator>();
  /** Who was allowed in which session: whoever only lost the connection is not asked about again. */
  const consents = new Map<number, string>();
  const live = (): ConnectedOperator[] => [...operators].filter(({ isLive }) => isLive);

  const stateOf = (
    { session }: ConnectedOperator,
    phase: SessionMessage<'state'>['phase'],
    message = '',
  ): SessionMessage<'state'> => {
    const can =
      phase === 'live'
        ? toBrowserAbilities(session.grant.permissions, options.capabilities())
        : { permissions: [], unable: {} };
    return { phase, message, ...can, recording: false, os: options.system, home: '' };
  };
  const sendPeople = (): void => {
    for (const { session } of live())
      session.send('people', {
        people: live().map((each, seat) => ({
          seat,
          name: each.name,
          driver: false,
          you: each.session === session,
        })),
      });
  };
  const end = ({ session }: ConnectedOperator, message: string): void => {
    consents.delete(session.grant.session);
    session.end(message);
  };

  const mayJoin = async (operator: ConnectedOperator): Promise<boolean> => {
    const { session, name, address } = operator;
    if (consents.get(session.grant.session) === `${name} ${address}`) return true;
    const gone = new AbortController();
    void session.ended.then(() => gone.abort());
    session.send('state', stateOf(operator, 'asking', joinTexts.state.asking));
    return options.ask(operator, gone.signal);
  };
  const admit = (operator: ConnectedOperator): void => {
    const { session, name, address } = operator;
    consents.set(session.grant.session, `${name} ${address}`);
    operator.isLive = true;
    for (const kind of unsupportedKinds)
      session.on(kind, () => session.send('refused', { kind, message: joinTexts.unable.needsProgram }));
    options.onJoined(operator);
    session.send('state', stateOf(operator, 'live'));
    sendPeople();
  };
  const leave = (operator: ConnectedOperator, by: string): void => {
    operators.delete(operator);
    // Whoever said goodbye has to ask again.
    if (by !== 'fault') consents.delete(operator.session.grant.session);
    if (operator.isLive) options.onLeft(operator);
    operator.isLive = false;
    sendPeople();
    if (by === 'fault') options.onLost();
  };

  return {
    async receive(request, serverKey) {
      const { key, clock } = options;
      const session = await acceptSession(request, { key, serverKey, clock });
      if (isProblem(session)) return;
      for (const before of operators)
        if (before.session.grant.session === session.grant.session) before.session.end('', 'fault');
      // Two browsers meet at the relay; whoever asks for another way is told at once.
      session.on('direct', ({ offer }) => {
        if (offer !== undefined) session.send('direct', { failed: joinTexts.unable.direct });
      });
      const operator: ConnectedOperator = { session, ...session.grant.operator, view: {}, isLive: false };
      operators.add(operator);
      void session.ended.then(({ by }) => leave(operator, by));
      if (await mayJoin(operator)) {
        if (operators.has(operator)) admit(operator);
      } else {
        session.send('state', stateOf(operator, 'refused', joinTexts.state.refused));
        session.end(joinTexts.state.refused);
      }
    },
    live,
    sendState() {
      for (const operator of live()) operator.session.send('state', stateOf(operator, 'live'));
    },
    end,
    endAll: (message) => [...operators].forEach((operator) => end(operator, message)),
  };
}
