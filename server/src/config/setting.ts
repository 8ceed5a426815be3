/** The definition of a setting: how its text is parsed, and its entry in the manual. */
import * as z from 'zod';
import { toList, toWholeNumber, type BadItem } from './values.ts';

/** The entry of a setting in the manual; `accepts` completes "must be …". */
export interface SettingManual {
  says: string;
  accepts: string;
  /** As it is written in the environment; empty when there is none, and then `absent` says what happens instead. */
  default: string;
  absent?: string;
  secret?: boolean;
}

/** Parses a value from the environment (text) or from TOML (text, number, boolean or a list of texts). An absent value gives the default. */
export function setting<T>(read: (text: string) => T | BadItem | undefined, manual: SettingManual) {
  return z
    .unknown()
    .transform((given, context): T | undefined => {
      const text = given === undefined ? manual.default : toText(given);
      if (given === undefined && text === '') return undefined;
      const value = text === undefined ? undefined : read(text);
      if (value !== undefined && !isBadItem(value)) return value;
      // An item with an @ may contain a password and is not repeated.
      const isNamed = isBadItem(value) && !value.badItem.includes('@');
      const which = isNamed ? `; ${JSON.stringify(value.badItem)} is not valid` : '';
      context.addIssue({ code: 'custom', message: `must be ${manual.accepts}${which}` });
      return undefined;
    })
    .meta({ ...manual });
}

const isBadItem = (value: unknown): value is BadItem =>
  typeof value === 'object' && value !== null && 'badItem' in value;

function toText(given: unknown): string | undefined {
  if (typeof given === 'string') return given.trim();
  if (typeof given === 'number' || typeof given === 'bigint' || typeof given === 'boolean')
    return String(given);
  return Array.isArray(given) && given.every((item) => typeof item === 'string')
    ? given.join(',')
    : undefined;
}

export function toPath(text: string): string | undefined {
  return text === '' || text.includes('\0') ? undefined : text;
}

export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => toWholeNumber(text, least, most);
}

export function listOf(toItem: (text: string) => string | undefined): (text: string) => string[] | BadItem {
  return (text) => toList(text, toItem);
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text);
}
