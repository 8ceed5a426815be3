/** Turns the events of a test run into what a person reads: failures in full, one line per file, what was skipped, the sums. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect, styleText } from 'node:util';

type Of<Type extends TestEvent['type']> = Extract<TestEvent, { type: Type }>['data'];

export interface TestReport {
  take(event: TestEvent): void;
  /** Prints the sums; true when nothing failed and, if strict, nothing was skipped but what only root can do. */
  close(strict: boolean): boolean;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const indent = (text: string): string => text.trimEnd().replace(/^/gm, '    ');

export function createTestReport(root: string): TestReport {
  /** By entry file: the names of the open tests from the outermost in, and what the file printed so far. */
  const open = new Map<string, string[]>();
  const printed = new Map<string, string>();
  const failures: string[] = [];
  const skips = new Map<string, number>();
  const closing: string[] = [];
  const durations: { file: string; ms: number }[] = [];
  let counts: Of<'test:summary'>['counts'] | undefined;

  function start({ file = '', entryFile = file, nesting, name }: Of<'test:start'>): void {
    open.set(entryFile, [...(open.get(entryFile) ?? []).slice(0, nesting), name]);
  }

  function pass({ skip }: Of<'test:pass'>): void {
    if (skip === undefined || skip === false) return;
    const reason = typeof skip === 'string' && skip ? skip : 'no reason was given';
    skips.set(reason, (skips.get(reason) ?? 0) + 1);
  }

  function fail({ file = '', entryFile = file, line, nesting, todo, details }: Of<'test:fail'>): void {
    const error = details.error as Error & { failureType?: string };
    if (error.failureType === 'subtestsFailed' || todo !== undefined) return;
    const names = (open.get(entryFile) ?? []).slice(0, nesting + 1);
    const title = `✖ ${names.map((name) => (name === file ? 'the file' : name)).join(' › ')}`;
    const where = `${relative(root, file)}:${line}`;
    // Of a file whose process ended early the cause is only a word; the error itself has the exit code and the signal.
    const why = indent(inspect(error.cause instanceof Error ? error.cause : error, { depth: 6 }));
    failures.push(`${title} (${where})`);
    print(`${styleText('red', title)}\n    ${where}\n${why}`);
    if (names[0] === file) tellPrinted(entryFile);
  }

  /** What a file prints matters when it fails; otherwise it is noise. */
  function tellPrinted(file: string): void {
    const text = printed.get(file);
    if (text) print(`${indent(`${relative(root, file)} printed:`)}\n${indent(text)}`);
    printed.delete(file);
  }

  function summarize({ file, counts: sums, success, duration_ms: took }: Of<'test:summary'>): void {
    if (file === undefined) {
      counts = sums;
      return;
    }
    durations.push({ file: relative(root, file), ms: took });
    const skipped = sums.skipped ? `, ${sums.skipped} skipped` : '';
    print(
      `${success ? '✔' : '✖'} ${relative(root, file)} (${sums.passed} of ${sums.tests}${skipped}, ${Math.round(took)} ms)`,
    );
    if (!success) tellPrinted(file);
    printed.delete(file);
  }

  /** Where the time goes: a file that is slow because it waits holds up all others. */
  function tellSlowest(): void {
    const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, 15);
    if (durations.length > slowest.length)
      print(
        `\nSlowest:\n${slowest.map(({ file, ms }) => `${(ms / 1_000).toFixed(1)} s  ${file}`).join('\n')}`,
      );
  }

  function take({ type, data }: TestEvent): void {
    if (type === 'test:start') start(data);
    else if (type === 'test:pass') pass(data);
    else if (type === 'test:fail') fail(data);
    else if (type === 'test:summary') summarize(data);
    else if (type === 'test:stdout' || type === 'test:stderr')
      printed.set(data.file ?? '', (printed.get(data.file ?? '') ?? '') + data.message);
    else if (type === 'test:diagnostic' && data.file === undefined) closing.push(data.message);
  }

  function close(strict: boolean): boolean {
    if (failures.length) print(styleText('red', `\nFailed:\n${failures.join('\n')}`));
    tellSlowest();
    print(`\n${closing.map((line) => `ℹ ${line}`).join('\n')}`);
    for (const [reason, count] of skips) {
      const advice = reason.endsWith('is not installed') ? ': run scripts/test-machine' : '';
      print(styleText('yellow', `SKIPPED: ${reason} (${count} ${count === 1 ? 'test' : 'tests'})${advice}`));
    }
    const skipped = skips.values().reduce((sum, count) => sum + count, 0);
    const possible = skips.keys().some((reason) => !reason.startsWith('only root'));
    if (!counts) return false;
    const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
    if (strict && possible)
      print(styleText('red', 'DRAWBRIDGE_TEST_STRICT=1 forbids skipping tests that this user could run.'));
    print(`${counts.passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed === 0 && failures.length === 0 && !(strict && possible);
  }

  return { take, close };
}
