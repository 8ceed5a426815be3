/** How made-up devices behave once they are in: steady ones stay, others make trouble in a known way. */
import type { UplinkHandle } from '../uplink/connection.ts';

export interface Script {
  says: string;
  /** What the device does with its connection; returns how to stop doing it. */
  act(uplink: UplinkHandle, random: () => number): () => void;
  /** What the device says of itself instead of the truth, when it comes in and when it is in. */
  distort?: Record<'facts' | 'hardware', (text: string) => string>;
}

const nothing = (): void => {};

const later = (work: () => void, seconds: number): (() => void) => {
  const timer = setTimeout(work, seconds * 1_000);
  return () => clearTimeout(timer);
};

/** Nobody who says as much as this before it is known gets in; afterwards it is cut to length. */
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
