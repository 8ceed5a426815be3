/** The server's log: one JSON line per event on stderr, with secrets and link tokens kept out. */
import { destination, pino } from 'pino';
import type { DestinationStream, LevelWithSilent } from 'pino';
import { safeRequestFields, scrub, withoutSecrets, type RequestFields } from './log-redaction.ts';

export interface LogMethod {
  (message: string): void;
  (fields: object, message: string): void;
}

/** Fields named `request` or `req` are reduced to what is known to be safe: see `RequestFields`. */
export interface Log {
  trace: LogMethod;
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  /** A request was answered. Most lines are of this kind, so they are put together by hand, as `info` would do it. */
  request(fields: RequestFields): void;
  /** Resolves when everything said so far has been written. */
  flush(): Promise<void>;
}

/** Lines are written without waiting; what is still buffered when the process exits is written then. */
export function createLog({
  level,
  stream = toStderr(),
}: {
  level: LevelWithSilent;
  stream?: DestinationStream;
}): Log {
  const clock = createClock();
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: clock,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      // By then an error is a plain copy, whose type pino would take from its constructor: Object.
      serializers: { err: (copy: unknown) => copy },
      hooks: { streamWrite: scrub },
    },
    stream,
  );
  return {
    trace: log.trace.bind(log),
    debug: log.debug.bind(log),
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    request(fields) {
      if (!log.isLevelEnabled('info')) return;
      const request = JSON.stringify(safeRequestFields(fields));
      const line = `{"level":"info"${clock()},"pid":${process.pid},"request":${request},"msg":"request"}\n`;
      stream.write(scrub(line));
    },
    // What was said is written; that a pipe can not be told to reach a disk is no failure.
    flush: () => new Promise((resolve) => log.flush(() => resolve())),
  };
}

/** How long a line may wait, and behind how many letters, to be written together with others: a write costs more than a line. */
const [batchMs, batchChars] = [50, 32_768];

function toStderr(): DestinationStream & { flush(done: () => void): void } {
  let lines = '';
  const writeLines = (): void => {
    if (lines !== '') stderr.write(lines);
    lines = '';
  };
  // Comes before the stream's own last act, which writes what it was given.
  process.once('exit', writeLines);
  const stderr = destination({ fd: 2, sync: false, minLength: 1 });
  return {
    write(line) {
      if (lines === '') setTimeout(writeLines, batchMs).unref();
      lines += line;
      if (lines.length > batchChars) writeLines();
    },
    flush(done) {
      writeLines();
      stderr.flush(done);
    },
  };
}

/** The time as people read it. Spelling it out costs as much as the rest of a line, so a millisecond is spelt once. */
function createClock(): () => string {
  let last = 0;
  let formatted = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      formatted = `,"time":"${new Date(now).toISOString()}"`;
    }
    return formatted;
  };
}
