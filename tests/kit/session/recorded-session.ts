/**
 * A recorded session with the real server and the real agent: opened, watched by an operator, and found in
 * the history.
 */
import { encodeNumber } from '@drawbridge/contract/session/binary-frames';
import { decodeTiles, decodeVideo } from '@drawbridge/contract/session/screen-frames';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { TestPerson } from '../server/account.ts';
import type { TestService } from '../server/service.ts';
import { postToSession, linkCode } from './session-ends.ts';
import { connectOperator, type Operator } from './operator.ts';
import { eventually } from '../eventually.ts';
import { startStopwatch } from '../stopwatch.ts';

export interface WatchedSession extends AsyncDisposable {
  opened: OpenReply;
  operator: Operator;
  /** How many pictures have arrived so far. */
  pictures(): number;
  /** Resolves when a picture has arrived since the last call, and none for a while. */
  quiet(): Promise<void>;
}

const lookMs = 20;
const quietMs = 800;

export async function openWatchedSession(
  service: TestService,
  person: TestPerson,
  agentId: number,
  video = true,
): Promise<WatchedSession> {
  const { body } = await person.call('agents/connect', { agent_id: agentId, video });
  const sessionKey = createKeyPair();
  const answer = await postToSession(service, 'open', {
    code: linkCode(body['data'].url),
    key: sessionKey.publicKey,
  });
  if (answer.http !== 200) throw new Error(answer.text);
  const opened = JSON.parse(answer.text) as OpenReply;
  const { relay, ticket, pair, server_key: serverKey, device } = opened;
  const operator = connectOperator({ relay, ticket, pair, serverKey, deviceKey: device.key!, sessionKey });
  return { opened, operator, ...acknowledgePictures(operator) };
}

/** Acknowledges each picture, as a browser that draws it at once. */
function acknowledgePictures(operator: Operator) {
  // The agent runs in this process: while other programs run, it cannot send pictures either.
  const watch = startStopwatch();
  let [at, pictures, lastAt, before] = [0, 0, watch.ms(), 0];
  const look = setInterval(() => {
    for (const { kind, payload } of operator.received.slice(at)) {
      at += 1;
      const picture =
        kind === 'tiles' ? decodeTiles(payload) : kind === 'video' ? decodeVideo(payload) : undefined;
      if (!picture) continue;
      [pictures, lastAt] = [pictures + 1, watch.ms()];
      operator.send('shown', encodeNumber(picture.number));
    }
  }, lookMs);
  return {
    pictures: () => pictures,
    async quiet() {
      await eventually(
        () => pictures > before && watch.ms() - lastAt > quietMs,
        (isQuiet) => isQuiet,
      );
      before = pictures;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(look);
      watch[Symbol.dispose]();
      await operator[Symbol.asyncDispose]();
    },
  };
}

export const findLastVideo = async (
  person: TestPerson,
): Promise<{ id: number; stop?: number; video?: { url: string; size: number } }> =>
  (await person.call('history/list', { limit: 1 })).body['data'][0];
