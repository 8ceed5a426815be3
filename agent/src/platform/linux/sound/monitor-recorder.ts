/** Records one monitor source of the sound server with parec, and never a microphone. */
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { sound as format } from '@drawbridge/contract/session/sound';
import { startSoundProgram } from './sound-server.ts';

export interface MonitorRecorder {
  /** The source that is recorded now; empty before the server has connected one. */
  source(): string;
  close(): void;
}

interface RecorderEvents {
  onData(samples: Uint8Array): void;
  /** The server has moved the recording to another source. */
  onMoved(): void;
  /** The program ended by itself. */
  onEnd(): void;
}

const args = [
  '--raw',
  '--format=s16le',
  `--rate=${format.rate}`,
  `--channels=${format.channels}`,
  '--latency-msec=20',
  // Reports the source, also when the server moves the recording.
  '--verbose',
];
const sourcePattern = /(?:Connected|Stream moved) to device (\S+) \(/;

/** A program that cannot use the sound server exits at once. */
const startMs = 2_000;

export const isMonitor = (source: string): boolean => source.endsWith('.monitor');

/**
 * The monitor source of the default loudspeaker; undefined without a sound server or loudspeaker. PipeWire 0.3 takes
 * `@DEFAULT_MONITOR@` for the default source, which can be the microphone.
 */
export async function findDefaultMonitor(): Promise<string | undefined> {
  const { stdout } = await startSoundProgram('pactl', ['info']);
  const [, loudspeaker] = /^Default Sink: (\S+)$/m.exec(await text(stdout)) ?? [];
  return loudspeaker && `${loudspeaker}.monitor`;
}

/** Resolves once the server has connected the recording; to undefined if the program exits before. */
export async function startMonitorRecorder(
  monitor: string,
  { onData, onMoved, onEnd }: RecorderEvents,
): Promise<MonitorRecorder | undefined> {
  const program = await startSoundProgram('parec', [...args, `--device=${monitor}`]);
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  let [source, line, isClosed] = ['', '', false];
  program.stderr.on('data', (data: Buffer) => {
    const lines = `${line}${data.toString()}`.split(/[\r\n]/);
    line = lines.pop()!;
    const found = [...lines, line].map((each) => sourcePattern.exec(each)?.[1]).findLast(Boolean);
    if (!found || found === source) return;
    const wasConnected = source !== '';
    source = found;
    resolve();
    if (wasConnected) onMoved();
  });
  program.stdout.on('data', (samples: Buffer) =>
    afterNextPoll(() => void (!isClosed && isMonitor(source) && onData(samples))),
  );
  program.once('exit', () => {
    resolve();
    if (!isClosed) onEnd();
  });
  await Promise.race([connected, pause(startMs)]);
  if (program.exitCode !== null || program.signalCode !== null) return undefined;
  return {
    source: () => source,
    close() {
      isClosed = true;
      program.kill();
    },
  };
}

/** The program reports a move before it writes samples of the other source, but the two pipes are not read in order. */
function afterNextPoll(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}
