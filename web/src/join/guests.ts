/** The operators who are connected to this page: each is let in only when the person has agreed. */
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { Clock } from '../session/clock.ts';
import { acceptSession, type DeviceSession, type SessionRequest } from '../session/device.ts';
import type { DeviceKeyPair } from '../session/keys.ts';
import { isProblem } from '../session/session.ts';
import { abilitiesOf, type Means } from './abilities.ts';
import type { System } from './system.ts';
import { texts } from './texts.ts';

export interface Guest {
  session: DeviceSession;
  name: string;
  address: string;
  /** What the operator wants to see, as far as it was said. */
  view: SessionMessage<'view'>;
  isLive: boolean;
}

export interface Guests {
  /** An operator is on the way. */
  receive(request: SessionRequest, serverKey: string): Promise<void>;
  live(): Guest[];
  /** Tells everybody what the page can do now. */
  tellState(): void;
  end(guest: Guest, message: string): void;
  endAll(message: string): void;
}

export interface GuestsOptions {
  key: DeviceKeyPair;
  clock: Clock;
  system: System;
  means(): Means;
  /** Asks the person; the signal takes the question back. */
  ask(guest: Guest, signal: AbortSignal): Promise<boolean>;
  arrived(guest: Guest): void;
  left(guest: Guest): void;
  /** A connection was lost without a word: perhaps the line to the server was too. */
  lost(): void;
}

/** What no browser does; the operator's page does not offer it, but may send it all the same. */
const beyondBrowsers = (Object.keys(frameKinds) as FrameKindName[]).filter((kind) => {
  const { from, permission } = frameKinds[kind];
  const isOwn = ['agent_connect', 'agent_chat', 'agent_audio_calls', 'agent_app_install_request'];
  return from !== 'device' && permission !== null && !isOwn.includes(permission);
});

export function createGuests(options: GuestsOptions): Guests {
  const guests = new Set<Guest>();
  /** Who was allowed in which session: whoever only lost the connection is not asked about again. */
  const agreed = new Map<number, string>();
  const live = (): Guest[] => [...guests].filter(({ isLive }) => isLive);

  const stateOf = (
    { session }: Guest,
    phase: SessionMessage<'state'>['phase'],
    message = '',
  ): SessionMessage<'state'> => {
    const can =
      phase === 'live'
        ? abilitiesOf(session.grant.permissions, options.means())
        : { permissions: [], unable: {} };
    return { phase, message, ...can, recording: false, os: options.system, home: '' };
  };
  const tellPeople = (): void => {
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
  const end = ({ session }: Guest, message: string): void => {
    agreed.delete(session.grant.session);
    session.end(message);
  };

  const mayEnter = async (guest: Guest): Promise<boolean> => {
    const { session, name, address } = guest;
    if (agreed.get(session.grant.session) === `${name} ${address}`) return true;
    const gone = new AbortController();
    void session.ended.then(() => gone.abort());
    session.send('state', stateOf(guest, 'asking', texts.state.asking));
    return options.ask(guest, gone.signal);
  };
  const letIn = (guest: Guest): void => {
    const { session, name, address } = guest;
    agreed.set(session.grant.session, `${name} ${address}`);
    guest.isLive = true;
    for (const kind of beyondBrowsers)
      session.on(kind, () => session.send('refused', { kind, message: texts.unable.needsProgram }));
    options.arrived(guest);
    session.send('state', stateOf(guest, 'live'));
    tellPeople();
  };
  const leave = (guest: Guest, by: string): void => {
    guests.delete(guest);
    // Whoever said goodbye has to ask again.
    if (by !== 'fault') agreed.delete(guest.session.grant.session);
    if (guest.isLive) options.left(guest);
    guest.isLive = false;
    tellPeople();
    if (by === 'fault') options.lost();
  };

  return {
    async receive(request, serverKey) {
      const { key, clock } = options;
      const session = await acceptSession(request, { key, serverKey, clock });
      if (isProblem(session)) return;
      for (const before of guests)
        if (before.session.grant.session === session.grant.session) before.session.end('', 'fault');
      // Two browsers meet at the relay; whoever asks for another way is told at once.
      session.on('direct', ({ offer }) => {
        if (offer !== undefined) session.send('direct', { failed: texts.unable.direct });
      });
      const guest: Guest = { session, ...session.grant.operator, view: {}, isLive: false };
      guests.add(guest);
      void session.ended.then(({ by }) => leave(guest, by));
      if (await mayEnter(guest)) {
        if (guests.has(guest)) letIn(guest);
      } else {
        session.send('state', stateOf(guest, 'refused', texts.state.refused));
        session.end(texts.state.refused);
      }
    },
    live,
    tellState() {
      for (const guest of live()) guest.session.send('state', stateOf(guest, 'live'));
    },
    end,
    endAll: (message) => [...guests].forEach((guest) => end(guest, message)),
  };
}
