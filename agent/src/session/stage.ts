/** The parts of one session: made for its leg, started together, each frame given to the one that hears it. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { NotPossible } from '../platform/platform.ts';
import { Misshapen } from './misshapen.ts';
import type { Leg, Part, PartOf } from './part.ts';

export interface Stage {
  heard: ReadonlySet<FrameKindName>;
  /** Starts the parts that hear something the permissions of the leg allow. */
  start(mayHear: (kind: FrameKindName) => boolean): void;
  hear(kind: FrameKindName, payload: Uint8Array): void;
  rest(): void;
  stop(): Promise<void>;
}

/** `onFault`: a part got something that no honest operator sends. */
export function createStage(leg: Leg, makers: readonly PartOf[], onFault: (message: string) => void): Stage {
  const parts = makers.map((make) => make(leg));
  const heard = new Map(parts.flatMap((part) => kindsOf(part).map((kind) => [kind, part] as const)));
  const started = new Set<Part>();

  const attempt = (kind: FrameKindName, work: () => void | Promise<void>): void => {
    const fail = (error: unknown): void => {
      if (error instanceof Misshapen) return onFault(error.message);
      if (!(error instanceof NotPossible)) leg.log(`${kind} failed: ${describe(error)}`);
      leg.refuse(kind, error instanceof NotPossible ? error.message : 'The device could not do this.');
    };
    try {
      void work()?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };

  return {
    heard: new Set(heard.keys()),
    start(mayHear) {
      for (const part of parts) {
        const kind = kindsOf(part).find(mayHear);
        if (kind === undefined) continue;
        started.add(part);
        attempt(kind, () => part.start?.());
      }
    },
    hear(kind, payload) {
      const part = heard.get(kind);
      if (part && started.has(part)) attempt(kind, () => part.hear[kind]!(payload));
      else leg.refuse(kind, 'This agent cannot do that.');
    },
    rest: () => started.forEach((part) => part.rest?.()),
    async stop() {
      const ends = await Promise.allSettled([...started].map(async (part) => part.stop()));
      for (const end of ends)
        if (end.status === 'rejected') leg.log(`a part did not stop: ${describe(end.reason)}`);
      started.clear();
    },
  };
}

const kindsOf = (part: Part): FrameKindName[] => Object.keys(part.hear) as FrameKindName[];

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
