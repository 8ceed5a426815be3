/** Language, country and clock of the machine, as its environment sets them. */
import type { LocaleKeys } from '../../inventory/locale-keys.ts';

const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
  day: 'dd',
  month: 'MM',
  year: 'yyyy',
  minute: 'mm',
  second: 'ss',
  dayPeriod: 'tt',
  era: 'g',
};

/** Words between the numbers, such as the "h" of Canadian French, are quoted, so that they are not taken for letters of the pattern. */
const quoted = (text: string): string => text.replace(/\p{L}[\p{L}\p{M}.]*/gu, "'$&'");

/** The pattern in which dates or times are written: `HH` counts the hours to 23, `hh` to 12 with `tt` for the half of the day. */
function pattern(tag: string, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat(tag, options);
  const hour = format.resolvedOptions().hourCycle?.startsWith('h1') ? 'hh' : 'HH';
  const parts = format.formatToParts(0);
  const text = parts
    .map(({ type, value }) => (type === 'hour' ? hour : (letters[type] ?? quoted(value))))
    .join('');
  // Some languages put narrow spaces and direction marks between the numbers, which nobody types.
  return text.replace(/\s/gu, ' ').replace(/\p{Cf}/gu, '');
}

/** The formats of the POSIX standard, for machines on which no language is set. */
const posixFormats = { LocaleFormatDate: 'MM/dd/yy', LocaleFormatTime: 'HH:mm:ss' };

const formatsOf = (tag: string) => ({
  LocaleFormatDate: pattern(tag, { day: '2-digit', month: '2-digit', year: 'numeric' }),
  LocaleFormatTime: pattern(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
});

export function localeOf(env: NodeJS.ProcessEnv = process.env): LocaleKeys {
  const spelt = env['LC_ALL'] || env['LC_TIME'] || env['LANG'] || '';
  const [, name = '', encoding = ''] = /^([^.@]*)(?:\.([^@]*))?/.exec(spelt) ?? [];
  const isLanguage = /^[a-z]{2,3}(_[A-Z]{2})?$/.test(name);
  return {
    Locale: name || 'C',
    LocaleCountry: name.split('_')[1] ?? '',
    LocaleCurrency: '',
    ...(isLanguage ? formatsOf(name.replace('_', '-')) : posixFormats),
    LocaleOemPage: encoding,
    LocaleTimezone: 0 - new Date().getTimezoneOffset(),
  };
}
