/** The features of one session: created with its context, started together; each frame goes to the feature that handles it. */
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { Payload } from '@drawbridge/session/payloads';
import { NotPossible } from '../platform/platform.ts';
import type { FeatureContext, Feature, FeatureFactory } from './feature.ts';

export interface FeatureSet {
  handledKinds: ReadonlySet<FrameKindName>;
  /** Starts the features that handle a kind of frame which the permissions allow. */
  start(mayHandle: (kind: FrameKindName) => boolean): void;
  handle<Kind extends FrameKindName>(kind: Kind, payload: Payload<Kind>): void;
  releaseInput(): void;
  /** Stops the features that handle no kind of frame which is still allowed. */
  restrict(mayHandle: (kind: FrameKindName) => boolean): void;
  policyChanged(): void;
  stop(): Promise<void>;
}

export function createFeatureSet(context: FeatureContext, factories: readonly FeatureFactory[]): FeatureSet {
  const features = factories.map((make) => make(context));
  const featureByKind = new Map(
    features.flatMap((feature) => kindsOf(feature).map((kind) => [kind, feature] as const)),
  );
  const started = new Set<Feature>();

  const attempt = createAttempt(context);

  return {
    handledKinds: new Set(featureByKind.keys()),
    start(mayHandle) {
      for (const feature of features) {
        const kind = kindsOf(feature).find(mayHandle);
        if (kind === undefined) continue;
        started.add(feature);
        attempt(kind, () => feature.start?.());
      }
    },
    handle(kind, payload) {
      const feature = featureByKind.get(kind);
      if (feature && started.has(feature)) attempt(kind, () => callHandler(feature, kind, payload));
      else context.refuse(kind, 'This agent cannot do that.');
    },
    releaseInput: () => started.forEach((feature) => feature.releaseInput?.()),
    restrict(mayHandle) {
      const forbidden = [...started].filter((feature) => !kindsOf(feature).some(mayHandle));
      forbidden.forEach((feature) => started.delete(feature));
      void stopAll(context, forbidden);
    },
    policyChanged: () => started.forEach((feature) => feature.policyChanged?.()),
    async stop() {
      await stopAll(context, [...started]);
      started.clear();
    },
  };
}

async function stopAll(context: FeatureContext, features: readonly Feature[]): Promise<void> {
  const ends = await Promise.allSettled(features.map(async (feature) => feature.stop()));
  for (const end of ends)
    if (end.status === 'rejected') context.log(`a feature did not stop: ${describe(end.reason)}`);
}

/** Runs work of a feature; what it throws becomes a refusal and never ends the agent. */
function createAttempt(context: FeatureContext) {
  return (kind: FrameKindName, work: () => void | Promise<void>): void => {
    const fail = (error: unknown): void => {
      if (!(error instanceof NotPossible)) context.log(`${kind} failed: ${describe(error)}`);
      context.refuse(kind, error instanceof NotPossible ? error.message : 'The device could not do this.');
    };
    try {
      void work()?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

const callHandler = <Kind extends FrameKindName>(
  { handlers }: Feature,
  kind: Kind,
  payload: Payload<Kind>,
): void | Promise<void> => handlers[kind]?.(payload);

const kindsOf = (feature: Feature): FrameKindName[] => Object.keys(feature.handlers) as FrameKindName[];

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
