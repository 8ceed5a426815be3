/** A page and a device in one session, of the same version or of different ones: what arrived at the page, and waiting for it. */
import { frameKinds, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import type { OpenReply } from '@drawbridge/contract/session/open';
import type { Grant } from '@drawbridge/contract/session/signed';
import type { OperatorSession, SessionApi } from '@drawbridge/session/operator/operator';
import type { Payload } from '@drawbridge/session/payloads';
import { eventually } from '../../kit/eventually.ts';
import type { SessionFixture } from '../../kit/session/session-fixture.ts';
import type { ObservedDevice } from './observed-device.ts';

/** The files of a device as the code of a page offers them. */
export interface PageFiles {
  list(path: string): Promise<string[]>;
  createFolder(path: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  upload(path: string, content: Uint8Array<ArrayBuffer>): Promise<void>;
  download(path: string): Promise<Uint8Array>;
}

/** The frames that arrived at a page. */
export interface ReceivedFrames {
  of<Kind extends FrameKindName>(kind: Kind): Payload<Kind>[];
  /** The first that fits, now or later. */
  until<Kind extends FrameKindName>(
    kind: Kind,
    fits?: (payload: Payload<Kind>) => boolean,
  ): Promise<Payload<Kind>>;
}

export interface ConnectedPair {
  session: OperatorSession;
  received: ReceivedFrames;
  device: ObservedDevice;
  files: PageFiles;
  fixture: SessionFixture;
  /** The number of the session. */
  number: number;
}

/** What the two sides agree on takes less; it only keeps a failing check from hanging. */
const timeoutMs = 20_000;

export const soon = <Value>(ask: () => Value, fits: (value: Value) => boolean): Promise<Value> =>
  eventually(ask, fits, timeoutMs);

export function collectFrames({ on }: Pick<OperatorSession, 'on'>): ReceivedFrames {
  const frames: { kind: FrameKindName; payload: unknown }[] = [];
  for (const kind of Object.keys(frameKinds) as FrameKindName[])
    // Copied, because the next frame may reuse the memory.
    on(kind, (payload) => void frames.push({ kind, payload: structuredClone(payload) }));
  const of = <Kind extends FrameKindName>(kind: Kind): Payload<Kind>[] =>
    frames.filter((frame) => frame.kind === kind).map(({ payload }) => payload as Payload<Kind>);
  return {
    of,
    async until(kind, fits = () => true) {
      const all = await soon(
        () => of(kind),
        (payloads) => payloads.some(fits),
      );
      return all.find(fits)!;
    },
  };
}

export const untilPhase = (session: OperatorSession, phase: string): Promise<unknown> =>
  soon(
    () => session.state,
    (state) => state.phase === phase,
  );

export const untilDone = ({ device }: ConnectedPair, what: string): Promise<unknown> =>
  soon(
    () => [...device.done],
    (done) => done.includes(what),
  );

/** The server's part: a grant for the page's key, with which the device connects. */
export function createApi(
  fixture: SessionFixture,
  { number, ...grant }: Partial<Grant> & { number: number },
  connect: (...input: Parameters<SessionFixture['sessions']['open']>) => Promise<unknown> = fixture.sessions
    .open,
): SessionApi {
  const open = async (key: string): Promise<OpenReply> => {
    const { input, operatorOptions } = fixture.invite({
      session: number,
      grant: { ...grant, operator_key: key },
    });
    await connect(input);
    return {
      session: number,
      secret: 'secret',
      ticket: operatorOptions.ticket,
      relay: fixture.plainRelay,
      pair: operatorOptions.pair,
      server_key: operatorOptions.serverKey,
      device: { id: 12, name: 'desk', os: 'linux', key: grant.device_key ?? operatorOptions.deviceKey },
      permissions: [],
      record: false,
      name: 'Olga',
    };
  };
  return {
    open: (_code, key) => open(key),
    resume: (_token, key) => open(key),
    note: async () => true,
    alarm: async () => true,
  };
}
