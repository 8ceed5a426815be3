/** Prints the events of a test run for people: failures in full, one line per file, what was skipped, the totals. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect, styleText } from 'node:util';

type Of<Type extends TestEvent['type']> = Extract<TestEvent, { type: Type }>['data'];

interface TestReport {
  take(event: TestEvent): void;
  /** Prints the totals. Returns true if nothing failed and, if strict, nothing was skipped except tests that need root. */
  close(strict: boolean): boolean;
}

interface State {
  root: string;
  /** By entry file: the names of the running tests, outermost first. */
  running: Map<string, string[]>;
  /** By entry file: its output so far. */
  output: Map<string, string>;
  /** Title, place and cause of each failed test. */
  failures: string[];
  /** Number of skipped tests by reason. */
  skips: Map<string, number>;
  diagnostics: string[];
  durations: { file: string; ms: number }[];
  counts: Of<'test:summary'>['counts'] | undefined;
}

export function createTestReport(root: string): TestReport {
  const state: State = {
    root,
    running: new Map(),
    output: new Map(),
    failures: [],
    skips: new Map(),
    diagnostics: [],
    durations: [],
    counts: undefined,
  };
  return { take: (event) => take(state, event), close: (strict) => close(state, strict) };
}

function take(state: State, { type, data }: TestEvent): void {
  if (type === 'test:start') recordStart(state, data);
  else if (type === 'test:pass') recordPass(state, data);
  else if (type === 'test:fail') printFailure(state, data);
  else if (type === 'test:summary') printSummary(state, data);
  else if (type === 'test:stdout' || type === 'test:stderr') recordOutput(state, data.file, data.message);
  else if (type === 'test:diagnostic') recordDiagnostic(state, data);
}

function recordOutput({ output }: State, file = '', message: string): void {
  output.set(file, (output.get(file) ?? '') + message);
}

/** A file fails by an error that nobody caught, and names it in a diagnostic; its other diagnostics are its totals. */
function recordDiagnostic(state: State, { file, message }: Of<'test:diagnostic'>): void {
  if (file === undefined) state.diagnostics.push(message);
  else if (message.startsWith('Error: ')) recordOutput(state, file, `${message}\n`);
}

function recordStart(
  { running }: State,
  { file = '', entryFile = file, nesting, name }: Of<'test:start'>,
): void {
  running.set(entryFile, [...(running.get(entryFile) ?? []).slice(0, nesting), name]);
}

function recordPass({ skips }: State, { skip }: Of<'test:pass'>): void {
  if (skip === undefined || skip === false) return;
  const reason = typeof skip === 'string' && skip ? skip : 'no reason was given';
  skips.set(reason, (skips.get(reason) ?? 0) + 1);
}

function printFailure(state: State, data: Of<'test:fail'>): void {
  const { file = '', entryFile = file, line, nesting, todo, details } = data;
  const error = details.error as Error & { failureType?: string };
  if (error.failureType === 'subtestsFailed' || todo !== undefined) return;
  const names = (state.running.get(entryFile) ?? []).slice(0, nesting + 1);
  const title = `✖ ${names.map((name) => (name === file ? 'the file' : name)).join(' › ')}`;
  const where = `${relative(state.root, file)}:${line}`;
  // If a file's process ended early, the cause is only a string; the error itself has the exit code and the signal.
  const why = indent(inspect(error.cause instanceof Error ? error.cause : error, { depth: 6 }));
  state.failures.push(`${title} (${where})\n${firstLines(why)}`);
  print(`${styleText('red', title)}\n    ${where}\n${why}`);
  if (names[0] === file) printOutput(state, entryFile);
}

/** The output of a file is shown only if the file fails. */
function printOutput({ root, output }: State, file: string): void {
  const text = output.get(file);
  if (text) print(`${indent(`${relative(root, file)} printed:`)}\n${indent(text)}`);
  output.delete(file);
}

function printSummary(state: State, { file, counts, success, duration_ms: ms }: Of<'test:summary'>): void {
  if (file === undefined) {
    state.counts = counts;
    return;
  }
  const name = relative(state.root, file);
  state.durations.push({ file: name, ms });
  const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
  print(
    `${success ? '✔' : '✖'} ${name} (${counts.passed} of ${counts.tests}${skipped}, ${Math.round(ms)} ms)`,
  );
  if (!success) printOutput(state, file);
  state.output.delete(file);
}

function close(state: State, strict: boolean): boolean {
  const { counts, failures, skips, diagnostics } = state;
  if (failures.length) print(styleText('red', `\nFailed:\n${failures.join('\n')}`));
  printSlowest(state);
  print(`\n${diagnostics.map((line) => `ℹ ${line}`).join('\n')}`);
  printSkips(state);
  if (!counts) return false;
  const isForbiddenSkip =
    strict && skips.keys().some((reason) => !/^(only root|this machine cannot)/.test(reason));
  if (isForbiddenSkip)
    print(styleText('red', 'DRAWBRIDGE_TEST_STRICT=1 forbids skipping tests that this user could run.'));
  const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
  const skipped = skips.values().reduce((sum, count) => sum + count, 0);
  print(`${counts.passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && failures.length === 0 && !isForbiddenSkip;
}

/** A file that is slow because it waits delays all others. */
function printSlowest({ durations }: State): void {
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, 15);
  if (durations.length <= slowest.length) return;
  const lines = slowest.map(({ file, ms }) => `${(ms / 1_000).toFixed(1)} s  ${file}`);
  print(`\nSlowest:\n${lines.join('\n')}`);
}

function printSkips({ skips }: State): void {
  for (const [reason, count] of skips) {
    const advice = reason.endsWith('is not installed') ? ': run scripts/test-machine' : '';
    print(styleText('yellow', `SKIPPED: ${reason} (${count} ${count === 1 ? 'test' : 'tests'})${advice}`));
  }
}

/** Enough of a cause to understand it; the whole was printed when the test failed. */
const firstLines = (text: string): string => text.split('\n').slice(0, 25).join('\n').slice(0, 3_000);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ');
