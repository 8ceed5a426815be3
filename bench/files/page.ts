/** Runs in the browser: opens the session of a link with the console's own code and measures round trips while a file moves. */
import { createSessionApi } from '@drawbridge/session/browser/session-api';
import { createClock } from '@drawbridge/session/clock';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { openSession, type OperatorSession } from '@drawbridge/session/operator/operator';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import { collectBlob } from '@drawbridge/web/console/panels/files/download-file';
import { createFileExchanges } from '@drawbridge/web/console/panels/files/file-exchange';
import { createRemoteFiles, type RemoteFiles } from '@drawbridge/web/console/panels/files/remote-files';
import type { FilesBench, Load, RoundTrips } from './round-trips.ts';

const pingEveryMs = 20;
/** The session's own pings have small numbers. */
let lastPing = 1_000_000;
let session: OperatorSession;
let remote: RemoteFiles;
/** More than is moved within the measured time. */
const part = new Blob([new Uint8Array(16 * 1_024 * 1_024)]);
const content = new Blob(Array.from({ length: 32 }, () => part));

const until = (isTrue: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => void (isTrue() && resolve());
    session.onChange(look);
    look();
  });

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Sends pings for some seconds; each is answered by the device as any input is handled: in order. */
async function pingFor(seconds: number): Promise<number[]> {
  const sentAt = new Map<number, number>();
  const times: number[] = [];
  const unsubscribe = session.on('pong', (number) => {
    const at = sentAt.get(number);
    if (at !== undefined) times.push(performance.now() - at);
  });
  const timer = setInterval(() => {
    sentAt.set((lastPing += 1), performance.now());
    session.send('ping', lastPing);
  }, pingEveryMs);
  await wait(seconds * 1_000);
  clearInterval(timer);
  await wait(1_000);
  unsubscribe();
  return times.toSorted((a, b) => a - b);
}

/** Starts a transfer and returns how to read its progress. */
function transfer(load: Load, signal: AbortSignal): () => number {
  let bytes = 0;
  const onProgress = (to: number): void => void (bytes = to);
  const report = (error: Error): void => {
    if (error.name !== 'AbortError') console.error(error.message);
  };
  if (load === 'an upload')
    remote.upload({ path: '/uploaded', content, replace: true, onProgress }, signal).catch(report);
  if (load === 'a download')
    remote
      .download('/large', signal)
      .then((file) => collectBlob(file.content, onProgress))
      .catch(report);
  return () => bytes;
}

async function measure(load: Load, seconds: number): Promise<RoundTrips> {
  const stop = new AbortController();
  const bytes = transfer(load, stop.signal);
  await wait(1_000);
  const before = bytes();
  const times = await pingFor(seconds);
  const moved = bytes() - before;
  stop.abort();
  await wait(1_000);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  return {
    median: at(0.5),
    p95: at(0.95),
    longest: at(1),
    megabytesPerSecond: moved / 1e6 / (seconds + 1),
    megabytes: bytes() / 1e6,
  };
}

(globalThis as unknown as { filesBench: FilesBench }).filesBench = {
  async open(code, transport) {
    const pins = createKeyPins(localStorage);
    session = openSession({
      ...operatorPorts,
      from: { code },
      api: createSessionApi(),
      pins,
      clock: createClock(),
    });
    remote = createRemoteFiles(createFileExchanges(session));
    // The browser writes a large blob to disk first.
    await content.slice(-1).arrayBuffer();
    await until(() => session.state.phase === 'live' && session.transport === transport);
    return session.transport;
  },
  measure,
};
