/** The card that explains in three steps how to start the program with a command. */
import { button } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { codeText, spinner } from './cards.ts';
import type { System } from './browser-info.ts';
import { joinTexts } from './texts.ts';

const { program: texts } = joinTexts;

const lineNames: Partial<Record<System, string>> = { linux: 'line', win: 'windows_line' };

/** Fetches the command from the server and inserts the code. Undefined when the server offers none. */
async function commandFor(code: string, lineName: string): Promise<string | undefined> {
  try {
    const answer = await fetch('/download/join.json');
    const line = ((await answer.json()) as Record<string, unknown>)[lineName];
    return typeof line === 'string' ? line.replace('CODE', code) : undefined;
  } catch {
    return undefined;
  }
}

export interface ProgramCardOptions {
  code: string;
  system: System;
  /** There is a command, and the page shows it: the program takes over. */
  handOver(): void;
  /** Returns to the page of the visit, which goes on. */
  back(): void;
  /** Joins again after the program was to take over. */
  again(): void;
}

/** The visit goes on where there is no program. */
export function programCard({ code, system, handOver, back, again }: ProgramCardOptions): HTMLElement {
  const body = element('div', { class: 'stack' });
  const stay = (text: string): void =>
    fill(body, element('p', { role: 'status' }, text), button(texts.back, back));
  const show = (command: string | undefined): void => {
    if (command === undefined) return stay(texts.none);
    const left = element('p', { class: 'quiet' }, texts.left);
    fill(body, ...stepsOf(command, system), left, button(texts.back, again));
    handOver();
  };
  const lineName = lineNames[system];
  if (lineName !== undefined) {
    fill(body, element('p', { class: 'waiting', role: 'status' }, spinner(), texts.loading));
    void commandFor(code, lineName).then(show);
  } else stay(texts.otherSystem);
  return element(
    'main',
    { class: 'gate' },
    element('section', { class: 'card wide-card' }, element('h1', {}, texts.title), codeText(code), body),
  );
}

function stepsOf(command: string, system: System): HTMLElement[] {
  const [terminal, paste, allow] = texts.steps;
  const copy = button(texts.copy, () => void copyCommand(), 'primary');
  const copyCommand = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = texts.copied;
    } catch {
      getSelection()?.selectAllChildren(shown);
    }
  };
  const shown = element('code', { class: 'line', tabindex: 0, translate: 'no' }, command);
  return [
    element(
      'ol',
      { class: 'steps' },
      element('li', {}, system === 'win' ? texts.windowsStep : terminal),
      element('li', {}, paste, element('div', { class: 'line-row' }, shown, copy)),
      element('li', {}, allow),
    ),
    element('p', { class: 'quiet' }, texts.hint),
  ];
}
