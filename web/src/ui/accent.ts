/** Derives from a brand colour the nearest shades with enough contrast on light and dark backgrounds. */

type Colour = readonly [red: number, green: number, blue: number];

/** The background of each scheme with the least contrast: the darkest light one and the lightest dark one. */
const backgrounds = { light: '#eef1f4', dark: '#1f272f' } as const;
const texts = { light: '#ffffff', dark: '#08111f' } as const;
/** The contrast of text (WCAG 2, AA) and of emphasized text (AAA). */
const [readable, strong] = [4.5, 7];

const colourOf = (hex: string): Colour =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Colour;

const hexOf = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** Returns a ratio from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(colourOf(one)), luminance(colourOf(other))].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** Mixes the colour with as little black or white as needed. */
function shadeOf(hex: string, scheme: keyof typeof backgrounds, wanted: number): string {
  const towards = scheme === 'light' ? 0 : 255;
  const colour = colourOf(hex);
  for (let share = 0; share < 1; share += 0.02) {
    const shade = hexOf(colour.map((part) => part + (towards - part) * share) as unknown as Colour);
    if (contrast(shade, backgrounds[scheme]) >= wanted) return shade;
  }
  return hexOf([towards, towards, towards]);
}

export interface Shades {
  accent: string;
  text: string;
  strong: string;
}

/** The shades of one scheme: for text and button backgrounds, for the text on those buttons, and for emphasis. */
export const shadesOf = (hex: string, scheme: keyof typeof backgrounds): Shades => ({
  accent: shadeOf(hex, scheme, readable),
  text: texts[scheme],
  strong: shadeOf(hex, scheme, strong),
});

const properties = { accent: '--accent', text: '--accent-text', strong: '--accent-strong' } as const;

/** Applies the colour to the page; an empty or invalid colour restores the default. */
export function applyAccent(hex: string): void {
  const { style } = document.documentElement;
  const isColour = /^#[0-9a-f]{6}$/i.test(hex);
  const [light, dark] = [isColour && shadesOf(hex, 'light'), isColour && shadesOf(hex, 'dark')];
  for (const [name, property] of Object.entries(properties) as [keyof Shades, string][])
    if (light && dark) style.setProperty(property, `light-dark(${light[name]}, ${dark[name]})`);
    else style.removeProperty(property);
}
