/** The part of the hardware report about language, country and clock, which each system reads in its own way. */
import type { Hardware } from '@drawbridge/contract/hardware';

export type LocaleKeys = Pick<
  Hardware,
  | 'Locale'
  | 'LocaleCountry'
  | 'LocaleCurrency'
  | 'LocaleFormatDate'
  | 'LocaleFormatTime'
  | 'LocaleOemPage'
  | 'LocaleTimezone'
>;
