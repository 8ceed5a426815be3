/** The way in for a socket that nobody knows yet: whoever is too slow, comes too often or finds no room is sent away. */
import type { Duplex } from 'node:stream';
import type { Down } from '@drawbridge/contract/uplink/messages';
import type { WebSocket } from 'ws';
import type { Log } from '../log.ts';
import { createRate } from '../rate.ts';
import { admit, challenge, type AdmissionServices, type Admitted } from './admission.ts';
import { limitBytes, listen } from './first-words.ts';
import { say } from './live.ts';
import type { Turns } from './turns.ts';

export interface ReceptionServices extends AdmissionServices {
  log: Log;
  /** A device that comes back must not overtake what it said before it left. */
  turns: Turns;
  /** Whether as many devices are in as may be. */
  isFull(): boolean;
}

export interface Guest extends Admitted {
  key: string;
  /** The version of the uplink the device speaks. */
  version: number;
  address: string;
}

export interface Reception {
  /** The device behind the socket; undefined when it was sent away or has gone. */
  receive(socket: WebSocket, wire: Duplex, address: string): Promise<Guest | undefined>;
}

/** How long a device may take to say who it is. What the server itself takes to let it in does not count. */
const patienceMs = 10_000;
/** How many are let in at once; more would only wait for the store, and longer than they have patience. */
const mostAtOnce = 1_000;

function sendAway(socket: WebSocket, code: number, why: string): undefined {
  socket.close(code, why);
  return undefined;
}

export function createReception(services: ReceptionServices): Reception {
  const flapping = createRate({ perSecond: 0.5, burst: 20 });
  let entering = 0;

  /** Why the device should come another time, and after how long; undefined when it may come in. */
  const objection = (key: string): [why: string, Extract<Down, { kind: 'move' }>] | undefined => {
    if (services.isFull()) return ['full', { kind: 'move', after_seconds: 60 }];
    if (entering >= mostAtOnce) return ['busy', { kind: 'move', after_seconds: 10 }];
    return flapping.allow(key) ? undefined : ['too often', { kind: 'move', after_seconds: 30 }];
  };

  async function enter(said: Parameters<typeof admit>[0]): Promise<Awaited<ReturnType<typeof admit>>> {
    entering++;
    try {
      return await services.turns.take(said.hello.key, () => admit(said, services));
    } finally {
      entering--;
    }
  }

  async function converse(
    socket: WebSocket,
    address: string,
    onSaid: () => void,
  ): Promise<Guest | undefined> {
    const words = listen(socket);
    const hello = await words.next('hello');
    if (!hello) return sendAway(socket, 4_000, 'not understood');
    const asked = challenge(hello, services);
    say(socket, asked);
    if (asked.kind === 'refused') return sendAway(socket, 4_003, asked.code);
    const objected = objection(hello.key);
    if (objected) {
      const [why, later] = objected;
      say(socket, later);
      return sendAway(socket, 4_009, why);
    }
    const proof = await words.next('proof');
    onSaid();
    if (!proof) return sendAway(socket, 4_000, 'not understood');
    const admitted = await enter({ hello, asked, proof, address });
    if (!('kind' in admitted)) return { ...admitted, key: hello.key, version: hello.version, address };
    say(socket, admitted);
    return sendAway(socket, 4_003, admitted.code);
  }

  return {
    async receive(socket, wire, address) {
      const unlimit = limitBytes(wire);
      const timer = setTimeout(() => socket.close(4_008, 'too slow'), patienceMs);
      try {
        return await converse(socket, address, () => clearTimeout(timer));
      } catch (error) {
        services.log.error({ err: error }, 'a device could not be let in');
        return sendAway(socket, 1_011, 'try again');
      } finally {
        clearTimeout(timer);
        unlimit();
      }
    },
  };
}
