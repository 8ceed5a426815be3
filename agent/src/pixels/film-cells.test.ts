/** Which parts of a film stay exact: text and plain areas, wherever they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundsOf, createFramebuffer, putPixels, type Framebuffer } from './framebuffer.ts';
import { intersect, totalArea } from './boxes.ts';
import { splitFilm, type FilmCells } from './film-cells.ts';

const size = { width: 320, height: 192 };
const whole = { x: 0, y: 0, ...size };

type Paint = (x: number, y: number) => number;

/** Rough and smooth areas that drift with the frame, as in a film; no pixel keeps its colour. */
const film =
  (frame: number): Paint =>
  (x, y) => {
    const wave = Math.floor(60 * Math.sin((x + 3 * frame) / 17) + 50 * Math.sin((y + frame) / 23));
    const grain = (Math.imul(x * 7_919 + y * 104_729 + frame, 1_103_515_245) >>> 24) & 15;
    return ((110 + wave + grain) << 16) | ((120 + wave) << 8) | (100 + grain + (frame & 1));
  };

/** Letters of four by six pixels on white, with grey pixels at their edges, as smoothed text has. */
const text =
  (line: number): Paint =>
  (x, y) => {
    const ink = Math.imul(Math.floor(x / 2) * 31 + Math.floor((y + line) / 2) * 17, 2_654_435_761) >>> 28;
    return y % 8 > 5 || x % 5 === 4 ? 0xffffff : ink < 6 ? 0x101010 : ink < 8 ? 0x9a9a9a : 0xffffff;
  };

const plain =
  (colour: number): Paint =>
  () =>
    colour;

function paint(framebuffer: Framebuffer, box: Box, colourOf: Paint): void {
  for (let y = box.y; y < box.y + box.height; y += 1)
    for (let x = box.x; x < box.x + box.width; x += 1)
      framebuffer.words[y * framebuffer.width + x] = colourOf(x, y);
}

/** Splits what a second picture changes in a first one. */
function split(before: [Box, Paint][], after: [Box, Paint][]): FilmCells {
  const [framebuffer, next] = [
    createFramebuffer(size.width, size.height),
    createFramebuffer(size.width, size.height),
  ];
  for (const [box, colourOf] of before) paint(framebuffer, box, colourOf);
  putPixels(next, { box: whole, words: framebuffer.words, offset: 0, stride: size.width });
  for (const [box, colourOf] of after) paint(next, box, colourOf);
  const pixels = { box: whole, words: next.words, offset: 0, stride: size.width };
  return splitFilm(framebuffer, pixels, [boundsOf(framebuffer)]);
}

const covered = (boxes: readonly Box[], area: Box): number =>
  totalArea(boxes.flatMap((box) => intersect(box, area) ?? []));

test('a film that fills the picture is one box', () => {
  const cells = split([[whole, film(1)]], [[whole, film(2)]]);

  assert.deepEqual(cells, { film: [whole], exact: [] });
});

test('text that changes inside a film stays exact, and so does its plain margin', () => {
  const page = { x: 96, y: 48, width: 128, height: 96 };
  const column = { x: 112, y: 64, width: 96, height: 64 };
  const at = (frame: number): [Box, Paint][] => [
    [whole, film(frame)],
    [page, plain(frame % 2 ? 0xffffff : 0xf0f0f0)],
    [column, text(frame)],
  ];

  const cells = split(at(1), at(2));

  assert.equal(covered(cells.film, page), 0);
  assert.equal(covered(cells.exact, page), page.width * page.height);
  assert.equal(covered(cells.film, whole), totalArea([whole]) - totalArea([page]));
});

test('text that does not change is left alone while the film around it moves', () => {
  const page = { x: 96, y: 48, width: 128, height: 96 };
  const at = (frame: number): [Box, Paint][] => [
    [whole, film(frame)],
    [page, text(0)],
  ];

  const cells = split(at(1), at(2));

  assert.deepEqual([covered(cells.film, page), covered(cells.exact, page)], [0, 0]);
});

test('cells end where the changed box ends, so that text beside a film is not touched', () => {
  const framebuffer = createFramebuffer(size.width, size.height);
  const next = createFramebuffer(size.width, size.height);
  paint(next, whole, film(3));
  const box = { x: 37, y: 21, width: 200, height: 100 };

  const cells = splitFilm(framebuffer, { box: whole, words: next.words, offset: 0, stride: size.width }, [
    box,
  ]);

  assert.equal(totalArea(cells.film), totalArea([box]));
  assert.equal(covered(cells.film, box), totalArea([box]));
});
