/** The log in a terminal: one short line per event for people, instead of JSON. */
import { styleText } from 'node:util';
import type { DestinationStream, LevelWithSilent } from 'pino';
import type { RequestFields } from './log-redaction.ts';

interface LoggedEvent {
  level: string;
  time: string;
  pid: number;
  msg: string;
  err?: { message?: string; stack?: string };
  request?: RequestFields;
}

/** The terminal that the lines go to. */
interface Terminal {
  columns: number;
  write(text: string): unknown;
}

/** What the log writes to if standard error is a terminal. */
export const toTerminal = (terminal: Terminal, level: LevelWithSilent): DestinationStream => ({
  write(json) {
    const event = JSON.parse(json) as LoggedEvent;
    if (isShown(event, level)) terminal.write(formatEvent(event, terminal.columns || 80));
  },
});

/** Requests would push everything else off the screen, so those that did not fail here are shown only on demand. */
const isShown = ({ request }: LoggedEvent, level: LevelWithSilent): boolean =>
  (request?.status ?? 500) >= 500 || level === 'debug' || level === 'trace';

const colours = { warn: 'yellow', error: 'red' } as const;

/** A line is cut at the width of the terminal. Warnings and errors are not: the terminal may be the only place that shows them. */
function formatEvent(event: LoggedEvent, columns: number): string {
  const { level, time, pid: _pid, msg, err, request, ...rest } = event;
  const text = sanitize(
    request
      ? `${request.method} ${request.path} ${request.status}, ${request.ms} ms, ${request.address}`
      : [
          err?.message === undefined ? msg : `${msg}: ${err.message}`,
          ...Object.entries(rest).map(fieldText),
        ].join(' '),
  );
  const line = `${clockTime(time)} ${level.padEnd(5)} ${text}`;
  const colour = colours[level as keyof typeof colours];
  const stack = level === 'error' && err?.stack ? stackLines(err.stack) : '';
  return `${colour ? styleText(colour, line) : cut(line, columns)}\n${stack}`;
}

const cut = (line: string, columns: number): string =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;

const fieldText = ([name, value]: [string, unknown]): string =>
  `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;

/** Values can come from outside and must not control the terminal. */
const sanitize = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

const stackLines = (stack: string): string =>
  stack
    .split('\n')
    .slice(1)
    .map((line) => `${sanitize(line)}\n`)
    .join('');

/** In the time zone of the machine, where the person is. */
function clockTime(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
