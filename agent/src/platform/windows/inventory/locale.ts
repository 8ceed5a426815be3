/** Language, country and clock, as the user's settings say. */
import type { LocaleKeys } from '../../inventory/locale-keys.ts';
import { readWideText } from '../api/wide-text.ts';
import type { WindowsApi } from '../api/windows-api.ts';

/** Numbers of the values that GetLocaleInfoEx returns. */
const values = {
  Locale: 0x5c,
  LocaleCountry: 0x5a,
  LocaleCurrency: 0x15,
  LocaleFormatDate: 0x1f,
  LocaleFormatTime: 0x1003,
  LocaleOemPage: 0x0b,
} as const;
const maxLength = 128;

export function localeOf(api: WindowsApi): LocaleKeys {
  const read = (value: number): string => {
    const text = Buffer.alloc(2 * maxLength);
    return api.GetLocaleInfoEx(null, value, text, maxLength) > 0 ? readWideText(text) : '';
  };
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(value)]));
  return {
    ...(texts as Record<keyof typeof values, string>),
    LocaleTimezone: 0 - new Date().getTimezoneOffset(),
  };
}
