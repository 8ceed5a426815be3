/** Joins the fields of a response that are already JSON text into one body. */
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import type { RenderedList } from '../../handlers/handler.ts';
import type { RenderedItem } from '../../handlers/rendered-item.ts';

export type RenderedFields = Record<string, string | readonly Buffer[] | RenderedList>;

/** A section of a body: text, or some items of a list with the text around them. */
export type BodySection = string | Buffer | ItemSection;

interface ItemSection {
  /** Empty if items of the same list are before these. */
  before: string;
  items: readonly RenderedItem[];
  after: string;
}

const itemsPerSection = 130;

/** Divides a body into sections. Where they begin depends only on the content. */
export function sectionsOf(row: Operation, rendered: RenderedFields): BodySection[] {
  const status = statusOf(row, 'ok');
  const sections: BodySection[] = [];
  let text = status === undefined ? '{' : `{"status":${status},`;
  let separator = '';
  for (const [name, value] of Object.entries(rendered)) {
    text += `${separator}"${name}":`;
    separator = ',';
    if (typeof value === 'string') text += value;
    else if ('items' in value) text = addList(sections, text, value);
    else {
      sections.push(text, ...value);
      text = '';
    }
  }
  addText(sections, `${text}}`);
  return sections;
}

/** Adds the text and the list. Returns the text that follows. */
function addList(sections: BodySection[], text: string, { items }: RenderedList): string {
  for (let start = 0; start < items.length; start += itemsPerSection)
    sections.push({
      before: start === 0 ? `${text}[` : '',
      items: items.slice(start, start + itemsPerSection),
      after: '',
    });
  return items.length === 0 ? `${text}[]` : ']';
}

/** Text belongs to the items before it, because each section is a write of its own. */
function addText(sections: BodySection[], text: string): void {
  const last = sections.at(-1);
  if (last !== undefined && hasItems(last)) last.after = text;
  else sections.push(text);
}

export const hasItems = (section: BodySection): section is ItemSection =>
  typeof section === 'object' && 'items' in section;

export function sectionBytes(section: BodySection): Buffer {
  if (typeof section === 'string') return Buffer.from(section);
  if (!hasItems(section)) return section;
  const { before, items, after } = section;
  const [first, ...others] = items.map(({ bytes }) => bytes);
  const begin = before === '' ? first! : first!.subarray(1);
  return Buffer.concat([Buffer.from(before), begin, ...others, Buffer.from(after)]);
}

const join = (sections: readonly BodySection[]): Buffer => Buffer.concat(sections.map(sectionBytes));

/** The text of one field. */
export function joinValue(value: RenderedFields[string]): string {
  if (typeof value === 'string') return value;
  if (!('items' in value)) return join(value).toString();
  const sections: BodySection[] = [];
  addText(sections, addList(sections, '', value));
  return join(sections).toString();
}

export function joinRendered(row: Operation, rendered: RenderedFields): string | Buffer {
  const sections = sectionsOf(row, rendered);
  const [first] = sections;
  return sections.length === 1 && typeof first === 'string' ? first : join(sections);
}
