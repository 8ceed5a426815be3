/** Rules of a brand that can be told before the server is asked. */
import { maxLogoBytes, maxLogoSide } from '@drawbridge/contract/logo';
import { shadesOf } from '../../ui/accent.ts';
import { t } from '../texts/index.ts';

const texts = t.admin.branding;

/** The colour that is shown while none is chosen. */
export const defaultAccent = '#1f6feb';

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Where the colour is shown in another shade than it was chosen in, so that it can be read. */
export function adjustmentOf(colour: string): keyof typeof texts.adjusted {
  const isKept = (scheme: 'light' | 'dark'): boolean =>
    shadesOf(colour, scheme).accent.toLowerCase() === colour.toLowerCase();
  const [light, dark] = [isKept('light'), isKept('dark')];
  if (light) return dark ? 'none' : 'dark';
  return dark ? 'light' : 'both';
}

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

export const maxLogoKib = maxLogoBytes / 1_024;

/** Why a picture can not be the logo; undefined when it can. */
export function logoFileProblem(file: { type: string; size: number }): string | undefined {
  if (!logoTypes.includes(file.type)) return texts.wrongKind;
  return file.size > maxLogoBytes ? texts.tooBig(maxLogoKib) : undefined;
}

export const logoSizeProblem = (width: number, height: number): string | undefined =>
  Math.max(width, height) > maxLogoSide ? texts.tooWide(width, height, maxLogoSide) : undefined;
