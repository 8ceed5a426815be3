/** How simulated devices behave once they are connected: steady ones stay, others misbehave in a defined way. */
import type { UplinkHandle } from '../uplink/connection.ts';

export interface Script {
  says: string;
  /** Starts the behaviour on a connection; the returned function stops it. */
  act(uplink: UplinkHandle, random: () => number): () => void;
  /** Changes what the device reports about itself: facts when it connects, hardware afterwards. */
  distort?: Record<'facts' | 'hardware', (text: string) => string>;
}

const nothing = (): void => {};

const later = (work: () => void, seconds: number): (() => void) => {
  const timer = setTimeout(work, seconds * 1_000);
  return () => clearTimeout(timer);
};

/** Too long for facts, which would be refused; hardware texts are truncated by the server. */
const long = 'A'.repeat(100_000);
const hostile = `"><script>alert(1)</script>\u202e\u0000{{7*7}}' or 1=1--`;

export const scripts = {
  steady: { says: 'connect and stay', act: () => nothing },
  flapping: {
    says: 'disconnect after a few seconds and reconnect, repeatedly',
    act: (uplink, random) => later(() => uplink.close(), 1 + random() * 9),
  },
  'half-open': {
    says: 'stop responding after a while without disconnecting, as when a cable is unplugged',
    act: (uplink, random) => later(() => uplink.freeze(), 1 + random() * 4),
  },
  rogue: {
    says: 'send hostile text in every field',
    act: () => nothing,
    distort: { facts: (text) => text + hostile, hardware: (text) => text + hostile + long },
  },
} satisfies Record<string, Script>;

export type ScriptName = keyof typeof scripts;
export const isScript = (name: string): name is ScriptName => Object.hasOwn(scripts, name);
