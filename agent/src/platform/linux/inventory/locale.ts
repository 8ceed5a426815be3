/** Language, country and clock of the machine, as its environment sets them. */
import type { Hardware } from '@drawbridge/contract/hardware';

type Locale = Pick<
  Hardware,
  | 'Locale'
  | 'LocaleCountry'
  | 'LocaleCurrency'
  | 'LocaleFormatDate'
  | 'LocaleFormatTime'
  | 'LocaleOemPage'
  | 'LocaleTimezone'
>;

/** The pattern in which dates or times are written. */
function pattern(locale: string, options: Intl.DateTimeFormatOptions): string {
  const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
    day: 'dd',
    month: 'MM',
    year: 'yyyy',
    hour: 'HH',
    minute: 'mm',
    second: 'ss',
    dayPeriod: 'tt',
  };
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(0);
  return parts.map(({ type, value }) => letters[type] ?? value).join('');
}

export function localeOf(env: NodeJS.ProcessEnv = process.env): Locale {
  const spelt = env['LC_ALL'] || env['LC_TIME'] || env['LANG'] || '';
  const [name = '', encoding = ''] = spelt.split('.');
  const tag = /^[a-z]{2,3}(_[A-Z]{2})?$/.test(name) ? name.replace('_', '-') : 'en-US';
  return {
    Locale: name || 'C',
    LocaleCountry: name.split('_')[1] ?? '',
    LocaleCurrency: '',
    LocaleFormatDate: pattern(tag, { day: '2-digit', month: '2-digit', year: 'numeric' }),
    LocaleFormatTime: pattern(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    LocaleOemPage: encoding,
    LocaleTimezone: 0 - new Date().getTimezoneOffset(),
  };
}
