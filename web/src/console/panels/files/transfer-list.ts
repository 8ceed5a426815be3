/** The list of transfers: progress, rate and time left of each running one, the result of each finished one. */
import { button, iconButton } from '../../../ui/button.ts';
import { element, fill } from '../../../ui/element.ts';
import { icon } from '../../../ui/icons.ts';
import { readableBytes, shortDuration } from '../../../ui/readable.ts';
import { readableName } from '../../../ui/readable-text.ts';
import { consolePanelTexts } from '../texts.ts';
import { secondsLeft } from './transfer-rate.ts';
import type { Transfer, Transfers } from './transfers.ts';

const { files: texts } = consolePanelTexts;
const progressEveryMs = 250;

/** Shows the transfers in the container. */
export interface TransferList {
  /** Draws the transfers, because one has changed its state. */
  refresh(): void;
  stop(): void;
}

export function showTransfers(container: HTMLElement, transfers: Transfers): TransferList {
  let updates: (() => void)[] = [];
  const refresh = (): void => {
    const rows = transfers.all.map(transferRow);
    updates = rows.map(({ update }) => update);
    fill(container, ...contentOf(transfers, rows));
  };
  // Progress changes only texts and bars, so that a button keeps the focus.
  const timer = setInterval(() => updates.forEach((update) => update()), progressEveryMs);
  refresh();
  return { refresh, stop: () => clearInterval(timer) };
}

function contentOf(transfers: Transfers, rows: readonly TransferRow[]): HTMLElement[] {
  if (rows.length === 0) return [];
  const isFinished = ({ state }: Transfer): boolean => state === 'done' || state === 'failed';
  return [
    element(
      'header',
      { class: 'row' },
      element('h3', {}, texts.transfers),
      transfers.all.some(isFinished) && button(texts.clear, () => transfers.clear()),
    ),
    element('ul', { class: 'transfer-list' }, ...rows.map((row) => row.element)),
  ];
}

interface TransferRow {
  element: HTMLElement;
  update(): void;
}

function transferRow(transfer: Transfer): TransferRow {
  const text = element('span', { class: 'quiet' });
  const bar = element('progress', { 'aria-label': readableName(transfer.name) });
  const { state } = transfer;
  const update = (): void => {
    text.textContent = progressText(transfer);
    if (transfer.size) Object.assign(bar, { max: transfer.size, value: transfer.bytes });
  };
  update();
  const row = element(
    'li',
    { class: `transfer ${state}` },
    icon(transfer.direction === 'download' ? 'install' : 'bring'),
    element('bdi', { class: 'transfer-name' }, readableName(transfer.name)),
    text,
    state === 'running' && bar,
    transfer.note !== '' &&
      element('p', { class: 'transfer-note', role: 'status' }, readableName(transfer.note)),
    (state === 'running' || state === 'waiting') &&
      iconButton({ icon: 'end', title: texts.stop(readableName(transfer.name)), press: transfer.stop }),
  );
  return { element: row, update };
}

function progressText(transfer: Transfer): string {
  const { state, bytes, size, message } = transfer;
  if (state === 'waiting') return texts.waiting;
  if (state !== 'running') return message;
  const rate = transfer.rate.bytesPerSecond();
  const left = secondsLeft(transfer, rate);
  const parts = [
    size === undefined ? readableBytes(bytes) : texts.progress(readableBytes(bytes), readableBytes(size)),
    rate !== undefined && texts.rate(readableBytes(rate)),
    left !== undefined && texts.timeLeft(shortDuration(left)),
  ];
  return parts.filter((part) => part !== false).join(' · ');
}
