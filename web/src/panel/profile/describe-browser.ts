/** Which browser on which system, from what a browser says of itself. */
import { profileTexts } from '../texts/profile.ts';

const texts = profileTexts.place;

/** The first that fits counts: most browsers also carry the names of others. */
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
