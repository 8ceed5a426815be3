/** The list of transfers: a progress bar for each running one, the result for each finished one. */
import { button, iconButton } from '../../../ui/button.ts';
import { element } from '../../../ui/element.ts';
import { icon } from '../../../ui/icons.ts';
import { readableBytes } from '../../../ui/readable.ts';
import { readableName } from '../../../ui/readable-text.ts';
import { consolePanelTexts } from '../texts.ts';
import type { Transfer, Transfers } from './transfers.ts';

const { files: texts } = consolePanelTexts;

export function drawTransfers(transfers: Transfers): HTMLElement[] {
  const { all } = transfers;
  if (all.length === 0) return [];
  const isFinished = ({ state }: Transfer): boolean => state === 'done' || state === 'failed';
  return [
    element(
      'header',
      { class: 'row' },
      element('h3', {}, texts.transfers),
      all.some(isFinished) && button(texts.clear, () => transfers.clear()),
    ),
    element('ul', { class: 'transfer-list' }, ...all.map(transferRow)),
  ];
}

const transferRow = (transfer: Transfer): HTMLElement =>
  element(
    'li',
    { class: `transfer ${transfer.state}` },
    icon(transfer.direction === 'download' ? 'install' : 'bring'),
    element('bdi', { class: 'transfer-name' }, readableName(transfer.name)),
    element('span', { class: 'quiet' }, progressText(transfer)),
    progressBar(transfer),
    transfer.note !== '' &&
      element('p', { class: 'transfer-note', role: 'status' }, readableName(transfer.note)),
    (transfer.state === 'running' || transfer.state === 'waiting') &&
      iconButton({ icon: 'end', title: texts.stop(readableName(transfer.name)), press: transfer.stop }),
  );

function progressText({ state, bytes, size, message }: Transfer): string {
  if (state === 'waiting') return texts.waiting;
  if (state !== 'running') return message;
  return size === undefined
    ? readableBytes(bytes)
    : texts.progress(readableBytes(bytes), readableBytes(size));
}

const progressBar = ({ state, bytes, size, name }: Transfer): HTMLElement | false =>
  state === 'running' &&
  element('progress', { 'aria-label': readableName(name), ...(size ? { value: bytes, max: size } : {}) });
