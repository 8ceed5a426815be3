/** Whatever colour an account chooses for its brand, text in it and on it is readable. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, shadesOf } from '@drawbridge/web/ui/accent';

/** Every background of the pages that the colour may appear on. */
const grounds = { light: ['#eef1f4', '#ffffff'], dark: ['#10151a', '#171d23', '#1f272f'] } as const;

const colours = [0x00, 0x33, 0x66, 0x99, 0xcc, 0xff].flatMap((red, _, steps) =>
  steps.flatMap((green) =>
    steps.map((blue) => `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`),
  ),
);

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrast('#000000', '#ffffff').toFixed(2), '21.00');
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrast('#123456', '#123456'), 1);
});

test('every colour gets shades that are readable on light and on dark backgrounds, and text that is readable on them', () => {
  for (const scheme of ['light', 'dark'] as const)
    for (const colour of colours) {
      const { accent, text, strong } = shadesOf(colour, scheme);
      assert.match(`${accent} ${text} ${strong}`, /^(#[0-9a-f]{6} ?){3}$/);
      for (const ground of grounds[scheme]) {
        assert.ok(contrast(accent, ground) >= 4.5, `${colour} as ${accent} on ${ground}`);
        assert.ok(contrast(strong, ground) >= 7, `${colour} as ${strong} on ${ground}`);
      }
      assert.ok(contrast(text, accent) >= 4.5, `${text} on ${accent}`);
    }
});

test('a colour that is already readable stays unchanged', () => {
  assert.equal(shadesOf('#174fb0', 'light').accent, '#174fb0');
  assert.equal(shadesOf('#8ab6ff', 'dark').accent, '#8ab6ff');
});
