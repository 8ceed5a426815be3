/** The colour of a brand on our pages: the nearest shades of it that can be read on light and on dark grounds. */

type Colour = readonly [red: number, green: number, blue: number];

/** The ground of each scheme on which it is hardest to read: the darkest light one, and the lightest dark one. */
const grounds = { light: '#eef1f4', dark: '#1f272f' } as const;
const texts = { light: '#ffffff', dark: '#08111f' } as const;
/** What people with weak eyes need of text (WCAG 2, AA), and for what is to stand out (AAA). */
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

/** From 1, the same, to 21, black on white. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(colourOf(one)), luminance(colourOf(other))].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** The colour, mixed with black or white by as little as is needed. */
function shadeOf(hex: string, scheme: keyof typeof grounds, wanted: number): string {
  const towards = scheme === 'light' ? 0 : 255;
  const colour = colourOf(hex);
  for (let share = 0; share < 1; share += 0.02) {
    const shade = hexOf(colour.map((part) => part + (towards - part) * share) as unknown as Colour);
    if (contrast(shade, grounds[scheme]) >= wanted) return shade;
  }
  return hexOf([towards, towards, towards]);
}

export interface Shades {
  accent: string;
  text: string;
  strong: string;
}

/** Shades for one scheme: as text and as the ground of a button, the text on that, and one that stands out more. */
export const shadesOf = (hex: string, scheme: keyof typeof grounds): Shades => ({
  accent: shadeOf(hex, scheme, readable),
  text: texts[scheme],
  strong: shadeOf(hex, scheme, strong),
});

const properties = { accent: '--accent', text: '--accent-text', strong: '--accent-strong' } as const;

/** Gives the page the colour; with none, or with what is none, the usual one. */
export function applyAccent(hex: string): void {
  const { style } = document.documentElement;
  const isColour = /^#[0-9a-f]{6}$/i.test(hex);
  const [light, dark] = [isColour && shadesOf(hex, 'light'), isColour && shadesOf(hex, 'dark')];
  for (const [name, property] of Object.entries(properties) as [keyof Shades, string][])
    if (light && dark) style.setProperty(property, `light-dark(${light[name]}, ${dark[name]})`);
    else style.removeProperty(property);
}
