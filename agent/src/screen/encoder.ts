/** Encodes captured pixels: moved content becomes copies, small changes are sent exactly, large ones lossily and made exact later. */
import type { Box, CopyRect, Tile } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { qualityProfiles, type Quality, type QualityProfile } from './quality-profiles.ts';
import { mergeBoxes, totalArea } from '../pixels/boxes.ts';
import { exactTiles, paletteTiles } from '../pixels/exact-tiles.ts';
import type { RateController } from './rate-controller.ts';
import { blockSize, createLossyBlocks, type LossyBlocks } from '../pixels/lossy-blocks.ts';
import { createLossyEncoder, type LossyEncoder } from './lossy-encoder.ts';
import { createMoveSearch, type MoveSearch } from '../pixels/move-search.ts';
import { boundsOf, createFramebuffer, partOf, putPixels, type Framebuffer } from '../pixels/framebuffer.ts';
import { splitFilm, type FilmCells } from '../pixels/film-cells.ts';
import { createFilmDetector, type FilmDetector } from './film-detector.ts';
import { isSmallBox, planEncoding } from './encoding-plan.ts';
import { findChanges } from './find-changes.ts';
import type { Encoded } from './encoded-frame.ts';

export interface Encoder {
  codec: 'vp8' | 'tiles';
  /** Encodes newly captured pixels, whose boxes must not overlap. */
  take(pixels: readonly Pixels[], now: number): Promise<Encoded>;
  /** When something can be made exact; undefined if everything is exact already. */
  refineDueAt(): number | undefined;
  /** Whether the next part may be made exact while others are in flight, as after a film and at the start. */
  refinesAhead(): boolean;
  /** Makes exact some of what was sent lossily and no longer changes. `stillMs`: for how long nothing has changed. */
  refine(now: number, stillMs: number): Promise<Encoded>;
  /** Starts over: the next call of `take` brings the whole picture. */
  restart(): void;
  /** `half` and `h264`: whether the operator can show video of half size, and H.264. */
  configure(view: { quality: Quality; half: boolean; h264: boolean }): void;
  close(): void;
}

/** After a move, this many times as many pixels may be sent exactly. */
const exactFactorAfterMove = 3;
/** Lossy content is made exact once it has not changed for this long, this many pixels at a time. */
const [restMs, refineArea] = [300, 64 * 1_024];
/** A picture that was just opened, a film that ended and a still screen are made exact in larger parts, if frames arrive soon. */
const [refineLargeArea, nearMs] = [512 * 1_024, 70];
/** The first frame is the whole picture, which takes longer to arrive and to decode. */
const nearOpeningMs = 200;
/** If more blocks than this are lossy when the screen has been still for `restMs`, and frames do not arrive soon, video polishes them first. */
const manyBlocks = (4 * refineArea) / blockSize ** 2;

interface State {
  framebuffer: Framebuffer;
  lossyBlocks: LossyBlocks;
  lossyEncoder: LossyEncoder;
  moves: MoveSearch;
  film: FilmDetector;
  rateController: RateController;
  profile: QualityProfile;
  /** The operator can show video of half size. */
  canHalf: boolean;
  /** The operator has no picture yet. */
  isNew: boolean;
  isPolished: boolean;
  /** Nothing but the first picture was sent lossily. */
  isOpening: boolean;
}

export async function createEncoder(
  size: { width: number; height: number },
  options: { rateController: RateController; video: boolean; clock: () => number },
): Promise<Encoder> {
  const framebuffer = createFramebuffer(size.width, size.height);
  const lossyEncoder = await createLossyEncoder(framebuffer, options);
  const state = createState(framebuffer, lossyEncoder, options.rateController);
  return {
    codec: lossyEncoder.codec,
    async take(pixels, now) {
      const encoded = await take(state, pixels, now);
      state.film.encoded(options.clock());
      return encoded;
    },
    refineDueAt: () => state.lossyBlocks.dueAt(restOf(state, options.clock())),
    refinesAhead: () => refinesAhead(state, options.clock()),
    refine: (now, stillMs) => refine(state, now, stillMs),
    restart() {
      state.isNew = true;
      lossyEncoder.restart();
    },
    configure({ quality, half, h264 }) {
      state.canHalf = half;
      lossyEncoder.configure({ h264 });
      state.profile = qualityProfiles[quality];
      options.rateController.limit(state.profile);
    },
    close: () => lossyEncoder.close(),
  };
}

const createState = (
  framebuffer: Framebuffer,
  lossyEncoder: LossyEncoder,
  rateController: RateController,
): State => ({
  framebuffer,
  lossyBlocks: createLossyBlocks(framebuffer.width, framebuffer.height),
  lossyEncoder,
  moves: createMoveSearch(),
  film: createFilmDetector(),
  rateController,
  profile: qualityProfiles.auto,
  canHalf: false,
  isNew: true,
  isPolished: false,
  isOpening: false,
});

async function take(state: State, captured: readonly Pixels[], now: number): Promise<Encoded> {
  const { framebuffer, film, profile } = state;
  const copies: CopyRect[] = [];
  const cells: FilmCells | undefined = isVideoFilm(state, now) ? { film: [], exact: [] } : undefined;
  const boxes = captured.flatMap((pixels) => {
    const found = state.isNew ? [boundsOf(framebuffer)] : findChanges(state, pixels, copies, now);
    if (cells) addCells(cells, splitChanges(framebuffer, pixels, found));
    // All others are the same already. A new picture has no others, and can consist of several captured boxes.
    for (const part of state.isNew ? [pixels] : found.map((box) => partOf(pixels, box)))
      putPixels(framebuffer, part);
    return found;
  });
  if (state.isNew) return encodeFirst(state, now);
  if (cells && totalArea(boxes) > profile.exact) {
    if (totalArea(cells.exact) <= Math.max(totalArea(cells.film), profile.exact))
      return { ...(await encodeFilm(state, cells, now)), copies };
    film.reject(now);
  }
  return { ...(await encodePlanned(state, boxes, copies.length > 0, now)), copies };
}

/** The whole picture as soon as possible: as JPEG, which need not rest before it is made exact. */
async function encodeFirst(state: State, now: number): Promise<Encoded> {
  const { framebuffer, lossyBlocks, lossyEncoder, profile } = state;
  state.isNew = false;
  const whole = [boundsOf(framebuffer)];
  const first = await lossyEncoder.encodeFirst(whole, profile);
  if (!first) return { ...(await encodePlanned(state, whole, false, now)), copies: [] };
  lossyBlocks.mark(whole, now - restMs);
  [state.isPolished, state.isOpening] = [true, true];
  return first;
}

/** Whether a film runs that is sent as video, at either size. */
const isVideoFilm = (state: State, now: number): boolean =>
  !state.isNew && state.film.isFilm(now) && (state.lossyEncoder.isVideo() || isHalf(state));

const isHalf = ({ canHalf, lossyEncoder, profile }: State): boolean =>
  canHalf && lossyEncoder.prefersHalf(profile);

/** Small boxes stay exact, whatever they show. */
function splitChanges(framebuffer: Framebuffer, pixels: Pixels, boxes: readonly Box[]): FilmCells {
  const [small, large] = [boxes.filter(isSmallBox), boxes.filter((box) => !isSmallBox(box))];
  const { film, exact } = splitFilm(framebuffer, pixels, large);
  return { film, exact: [...small, ...exact] };
}

function addCells(cells: FilmCells, more: FilmCells): void {
  cells.film.push(...more.film);
  cells.exact.push(...more.exact);
}

async function encodeFilm(state: State, { film, exact }: FilmCells, now: number): Promise<Encoded> {
  state.film.changed(totalArea(film), now);
  const tiles = await encodeExactly(state, exact);
  const { encode, encodeHalf } = state.lossyEncoder;
  const encoded = await encodeLossily(state, film, now, isHalf(state) ? encodeHalf : encode);
  return { ...encoded, tiles: [...tiles, ...encoded.tiles] };
}

async function encodePlanned(state: State, boxes: Box[], isMoved: boolean, now: number): Promise<Encoded> {
  const { framebuffer, lossyBlocks, profile, film } = state;
  const plan = planEncoding(framebuffer, boxes, profile.exact * (isMoved ? exactFactorAfterMove : 1));
  const tiles = await encodeExactly(state, plan.exact);
  for (const box of plan.flat) {
    const flat = await paletteTiles(framebuffer, box);
    if (flat) lossyBlocks.clear([box]);
    if (flat) tiles.push(...flat);
    else plan.lossy.push(box);
  }
  film.changed(totalArea(plan.lossy), now);
  const encoded = await encodeLossily(state, mergeBoxes(plan.lossy), now, state.lossyEncoder.encode);
  return { ...encoded, tiles: [...tiles, ...encoded.tiles] };
}

/** How long content must be unchanged before it is made exact. */
const restOf = (state: State, now: number): number =>
  isVideoFilm(state, now) ? state.film.restMs() : restMs;

/** Not while a slow connection is busy with the part before; until the first acknowledgement it is not known to be slow. */
const refinesAhead = (state: State, now: number): boolean =>
  (isNear(state) || state.rateController.delay().shortest === Infinity) &&
  (state.isOpening || restOf(state, now) < restMs);

const isNear = ({ rateController, isOpening }: State): boolean =>
  rateController.delay().shortest < (isOpening ? nearOpeningMs : nearMs);

async function refine(state: State, now: number, stillMs: number): Promise<Encoded> {
  const { lossyBlocks, lossyEncoder } = state;
  if (stillMs > restMs && !isNear(state) && !state.isPolished && lossyBlocks.count() > manyBlocks) {
    state.isPolished = true;
    const polished = await lossyEncoder.polish(lossyBlocks.older(now, Infinity), now);
    if (polished) return polished;
  }
  const rest = restOf(state, now);
  const isLarge = isNear(state) && (state.isOpening || stillMs >= rest);
  const boxes = lossyBlocks.older(now - rest, isLarge ? refineLargeArea : refineArea);
  return { copies: [], tiles: await encodeExactly(state, boxes) };
}

async function encodeExactly({ lossyBlocks, framebuffer }: State, boxes: readonly Box[]): Promise<Tile[]> {
  lossyBlocks.clear(boxes);
  return exactTiles(framebuffer, boxes);
}

async function encodeLossily(
  state: State,
  boxes: Box[],
  now: number,
  encode: LossyEncoder['encode'],
): Promise<Encoded> {
  if (boxes.length === 0) return { copies: [], tiles: [] };
  const encoded = await encode(boxes, state.profile, now);
  if (!encoded) return { copies: [], tiles: await encodeExactly(state, boxes) };
  state.lossyBlocks.mark(boxes, now);
  [state.isPolished, state.isOpening] = [false, false];
  return encoded;
}
