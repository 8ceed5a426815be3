/** Joins the fields of a response that are already JSON text into one body. */
import { statusOf, type Operation } from '@drawbridge/contract/operation';
import type { RenderedItem, RenderedList } from '../../handlers/handler.ts';

export type RenderedFields = Record<string, string | readonly Buffer[] | RenderedList>;

/** A section of a body: text, or some items of a list. */
export type BodySection = string | Buffer | ItemSection;

interface ItemSection {
  items: readonly RenderedItem[];
  /** True if no items of the same list are before these. */
  isFirst: boolean;
}

const itemsPerSection = 250;

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
    else {
      sections.push(text, ...sectionsOfValue(value));
      text = '';
    }
  }
  sections.push(`${text}}`);
  return sections;
}

function sectionsOfValue(value: Exclude<RenderedFields[string], string>): readonly BodySection[] {
  if (!('items' in value)) return value;
  const sections: BodySection[] = ['['];
  for (let start = 0; start < value.items.length; start += itemsPerSection)
    sections.push({ items: value.items.slice(start, start + itemsPerSection), isFirst: start === 0 });
  return [...sections, ']'];
}

export const hasItems = (section: BodySection): section is ItemSection =>
  typeof section === 'object' && 'items' in section;

export function toBytes(section: BodySection): Buffer {
  if (typeof section === 'string') return Buffer.from(section);
  if (!hasItems(section)) return section;
  const joined = Buffer.concat(section.items.map(({ bytes }) => bytes));
  return section.isFirst ? joined.subarray(1) : joined;
}

const join = (sections: readonly BodySection[]): Buffer => Buffer.concat(sections.map(toBytes));

/** The text of one field. */
export const joinValue = (value: RenderedFields[string]): string =>
  typeof value === 'string' ? value : join(sectionsOfValue(value)).toString();

export function joinRendered(row: Operation, rendered: RenderedFields): string | Buffer {
  const sections = sectionsOf(row, rendered);
  const [first] = sections;
  return sections.length === 1 && typeof first === 'string' ? first : join(sections);
}
