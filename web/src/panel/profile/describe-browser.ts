/** Derives browser and operating system from a user agent string. */
import { profileTexts } from '../texts/profile.ts';

const texts = profileTexts.place;

/** The first match wins, because most user agents also contain the names of other browsers. */
const browsers = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOP[RT]\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const nameIn = (known: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  known.find(([sign]) => sign.test(text))?.[1];

export function describeBrowser(userAgent: string): string {
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)];
  if (system !== undefined) return texts.on(browser ?? texts.browser, system);
  return browser ?? texts.unknown;
}
