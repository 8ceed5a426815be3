/** Validation of a brand that the page can do before it sends a request. */
import { maxLogoBytes, maxLogoSide } from '@drawbridge/contract/logo';
import { shadesOf } from '../../ui/accent.ts';
import { t } from '../texts/index.ts';

const texts = t.admin.branding;

/** The accent colour when the account has not chosen one. */
export const defaultAccent = '#1f6feb';

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** In which colour schemes the accent is adjusted for legibility. */
export function adjustmentOf(colour: string): keyof typeof texts.adjusted {
  const isKept = (scheme: 'light' | 'dark'): boolean =>
    shadesOf(colour, scheme).accent.toLowerCase() === colour.toLowerCase();
  const [light, dark] = [isKept('light'), isKept('dark')];
  if (light) return dark ? 'none' : 'dark';
  return dark ? 'light' : 'both';
}

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

export const maxLogoKib = maxLogoBytes / 1_024;

/** Why a file cannot be the logo; undefined if it can. */
export function logoFileProblem(file: { type: string; size: number }): string | undefined {
  if (!logoTypes.includes(file.type)) return texts.wrongKind;
  return file.size > maxLogoBytes ? texts.tooBig(maxLogoKib) : undefined;
}

export const logoSizeProblem = (width: number, height: number): string | undefined =>
  Math.max(width, height) > maxLogoSide ? texts.tooWide(width, height, maxLogoSide) : undefined;
