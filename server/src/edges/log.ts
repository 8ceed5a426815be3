/** The server's log: one JSON line per event on stderr, or one line for people if that is a terminal, without secrets and link tokens. */
import { destination, pino } from 'pino';
import type { DestinationStream, LevelWithSilent } from 'pino';
import { toTerminal } from './log-terminal.ts';
import { requestText, scrub, withoutSecrets, type AnsweredRequest } from './log-redaction.ts';

export interface LogMethod {
  (message: string): void;
  (fields: object, message: string): void;
}

/** Fields named `request` or `req` are reduced to known safe fields: see `RequestFields`. */
export interface Log {
  trace: LogMethod;
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  /** Logs an answered request. Most lines are of this kind, so they are formatted by hand, in the format of `info`. */
  request(answered: AnsweredRequest): void;
  /** Resolves when everything logged so far has been written. */
  flush(): Promise<void>;
}

/** Lines are written asynchronously; lines still buffered at exit are written then. */
export function createLog({
  level,
  stream = process.stderr.isTTY ? toTerminal(process.stderr, level) : toStderr(),
}: {
  level: LevelWithSilent;
  stream?: DestinationStream;
}): Log {
  const clock = createClock();
  const pid = `,"pid":${process.pid}`;
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: clock,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      // At this point an error is a plain copy, and pino would take its type from its constructor: Object.
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
    request(answered) {
      if (!log.isLevelEnabled('info')) return;
      stream.write(`{"level":"info"${clock()}${pid},"request":${requestText(answered)},"msg":"request"}\n`);
    },
    // Errors are ignored: the lines are written, and a pipe merely cannot be synced to disk.
    flush: () => new Promise((resolve) => log.flush(() => resolve())),
  };
}

/** Lines are written in batches, after this time or this many characters, because a write costs more than a line. */
const [batchMs, batchChars] = [50, 32_768];

function toStderr(): DestinationStream & { flush(done: () => void): void } {
  let lines = '';
  const writeLines = (): void => {
    if (lines !== '') stderr.write(lines);
    lines = '';
  };
  // Registered before the stream's own exit handler, which writes what the stream has received.
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

/** Returns the time in ISO format. Formatting costs as much as the rest of a line, so each millisecond is formatted once. */
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
