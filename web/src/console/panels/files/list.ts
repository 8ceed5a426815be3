/** The table of the entries in a folder. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import { iconButton } from '../../../ui/button.ts';
import { element } from '../../../ui/element.ts';
import { icon } from '../../../ui/icons.ts';
import { menu } from '../../../ui/menu.ts';
import { readableBytes, readableTime } from '../../../ui/readable.ts';
import { readableName } from '../../../ui/readable-text.ts';
import { consolePanelTexts } from '../texts.ts';
import type { Listing } from './remote-files.ts';

const { files: texts } = consolePanelTexts;

export interface ListActions {
  enter(entry: FileEntry): void;
  download(entry: FileEntry): void;
  rename(entry: FileEntry): void;
  remove(entry: FileEntry): void;
}

/** A notice above the table says when the list is incomplete. */
export function drawList({ entries, total }: Listing, actions: ListActions): HTMLElement[] {
  if (entries.length === 0) return [element('p', { class: 'quiet' }, texts.empty)];
  const isCut = total > entries.length;
  return [
    ...(isCut ? [element('p', { class: 'notice' }, texts.cut(entries.length, total))] : []),
    table(entries, actions),
  ];
}

function table(entries: readonly FileEntry[], actions: ListActions): HTMLElement {
  const rank = ({ kind }: FileEntry): number => (kind === 'folder' ? 0 : 1);
  const ordered = entries.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  const heading = (text: string): HTMLElement => element('th', { scope: 'col' }, text);
  return element(
    'table',
    { class: 'list' },
    element(
      'thead',
      {},
      element('tr', {}, heading(texts.name), heading(texts.size), heading(texts.time), element('td')),
    ),
    element('tbody', {}, ...ordered.map((entry) => row(entry, actions))),
  );
}

const row = (entry: FileEntry, actions: ListActions): HTMLElement =>
  element(
    'tr',
    {},
    element('td', { class: 'files-name', title: readableTime(entry.time) }, nameOf(entry, actions)),
    element('td', { class: 'number' }, entry.kind === 'file' && readableBytes(entry.size)),
    element('td', { class: 'files-time' }, readableTime(entry.time)),
    element('td', { class: 'files-actions' }, downloadButton(entry, actions), moreMenu(entry, actions)),
  );

/** A link may point to a folder or a file; the device decides when it is opened. */
function nameOf(entry: FileEntry, { enter, download }: ListActions): HTMLElement {
  const isEntered = entry.kind === 'folder' || entry.kind === 'link';
  const press = (): void => (isEntered ? enter(entry) : download(entry));
  return element(
    'button',
    { type: 'button', class: 'link', onclick: press, disabled: entry.kind === 'other' },
    icon(isEntered ? 'files' : 'file'),
    element('bdi', {}, readableName(entry.name)),
  );
}

const downloadButton = (entry: FileEntry, { download }: ListActions): HTMLElement | false =>
  (entry.kind === 'file' || entry.kind === 'folder') &&
  iconButton({
    icon: 'install',
    title: texts.fetchOf(readableName(entry.name)),
    press: () => download(entry),
  });

const moreMenu = (entry: FileEntry, { rename, remove }: ListActions): HTMLElement =>
  menu({ icon: 'more', title: texts.actions(readableName(entry.name)) }, () => [
    {
      items: [
        { text: texts.rename, choose: () => rename(entry) },
        { text: texts.remove, choose: () => remove(entry) },
      ],
    },
  ]);
