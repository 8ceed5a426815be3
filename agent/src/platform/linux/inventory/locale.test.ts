/** Language and formats of the machine, as its environment sets them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localeOf } from './locale.ts';

const timeOf = (LANG: string): string => localeOf({ LANG }).LocaleFormatTime;

test('hours are counted to 12 where people do so, and to 23 elsewhere', () => {
  for (const name of ['en_US.UTF-8', 'en_AU.UTF-8', 'hi_IN', 'es_MX.utf8'])
    assert.equal(timeOf(name), 'hh:mm:ss tt', name);
  for (const name of ['de_DE.UTF-8', 'en_GB.UTF-8', 'fr_FR', 'ru_RU.KOI8-R', 'pl'])
    assert.equal(timeOf(name), 'HH:mm:ss', name);
  assert.equal(timeOf('ko_KR.UTF-8'), 'tt hh:mm:ss');
});

test('a machine without a language has the formats of the POSIX standard', () => {
  for (const name of ['C', 'C.UTF-8', 'POSIX', '']) {
    const { LocaleFormatDate, LocaleFormatTime, LocaleCountry } = localeOf({ LANG: name });
    assert.deepEqual([LocaleFormatDate, LocaleFormatTime, LocaleCountry], ['MM/dd/yy', 'HH:mm:ss', ''], name);
  }
  assert.equal(localeOf({}).Locale, 'C');
});

test('formats contain nothing but letters and signs that a keyboard has', () => {
  const names = ['ar_EG.UTF-8', 'fa_IR', 'ps_AF', 'he_IL.UTF-8', 'en_US', 'zh_TW', 'th_TH', 'sr_RS@latin'];
  for (const name of names) {
    const { LocaleFormatDate, LocaleFormatTime } = localeOf({ LANG: name });
    assert.match(`${LocaleFormatDate} ${LocaleFormatTime}`, /^[dMygHhmst .:/-]+$/, name);
  }
});

test('words in a format are quoted, so that they are not taken for its letters', () => {
  assert.equal(timeOf('fr_CA.UTF-8'), "HH 'h' mm 'min' ss 's'");
  assert.equal(localeOf({ LANG: 'bg_BG' }).LocaleFormatDate, "dd.MM.yyyy 'г.'");
});

test('name, country and encoding are read apart, also with a modifier', () => {
  const { Locale, LocaleCountry, LocaleOemPage, LocaleFormatDate } = localeOf({ LANG: 'de_AT.UTF-8@euro' });
  assert.deepEqual([Locale, LocaleCountry, LocaleOemPage], ['de_AT', 'AT', 'UTF-8']);
  assert.equal(LocaleFormatDate, 'dd.MM.yyyy');
});

test('LC_ALL overrides LC_TIME, which overrides LANG', () => {
  const [LC_ALL, LC_TIME, LANG] = ['en_US', 'de_DE', 'fr_FR'];
  assert.equal(localeOf({ LC_ALL, LC_TIME, LANG }).Locale, 'en_US');
  assert.equal(localeOf({ LC_TIME, LANG }).Locale, 'de_DE');
  assert.equal(localeOf({ LC_ALL: '', LC_TIME: '', LANG }).Locale, 'fr_FR');
});
