/** Encodes captured pixels: moved content becomes copies, small changes are sent exactly, large ones lossily and made exact later. */
import type { Box, CopyRect, Tile } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { qualityProfiles, type Quality, type QualityProfile } from './quality-profiles.ts';
import { boxArea, mergeBoxes } from '../pixels/boxes.ts';
import { findDifferences } from '../pixels/find-differences.ts';
import { exactTiles, paletteTiles } from '../pixels/exact-tiles.ts';
import type { RateController } from './rate-controller.ts';
import { blockSize, createLossyBlocks, type LossyBlocks } from '../pixels/lossy-blocks.ts';
import { createLossyEncoder, type LossyEncoder } from './lossy-encoder.ts';
import { createMoveSearch, type MoveSearch } from '../pixels/move-search.ts';
import { boundsOf, copyRect, createFramebuffer, putPixels, type Framebuffer } from '../pixels/framebuffer.ts';
import { planEncoding } from './encoding-plan.ts';
import type { Encoded } from './encoded-frame.ts';

export interface Encoder {
  codec: 'vp8' | 'tiles';
  /** Encodes newly captured pixels, whose boxes must not overlap. */
  take(pixels: readonly Pixels[], now: number): Promise<Encoded>;
  /** When something can be made exact; undefined if everything is exact already. */
  refineDueAt(): number | undefined;
  /** Makes exact some of what was sent lossily and no longer changes. `isStill`: nothing on the screen changes. */
  refine(now: number, isStill: boolean): Promise<Encoded>;
  /** Starts over: the next call of `take` brings the whole picture. */
  restart(): void;
  setQuality(quality: Quality): void;
  close(): void;
}

/** The encoder searches for moved content in boxes of at least this many pixels and this height. */
const [minMovedArea, minMovedHeight] = [32 * 1_024, 48];
/** After a move, this many times as many pixels may be sent exactly. */
const exactFactorAfterMove = 3;
/** Lossy content is made exact once it has not changed for this long, this many pixels at a time. */
const [restMs, refineArea] = [300, 64 * 1_024];
/** If more blocks than this are lossy when the screen is still, video polishes them first. */
const manyBlocks = (4 * refineArea) / blockSize ** 2;

interface State {
  framebuffer: Framebuffer;
  lossyBlocks: LossyBlocks;
  lossyEncoder: LossyEncoder;
  moves: MoveSearch;
  profile: QualityProfile;
  /** The operator has no picture yet. */
  isNew: boolean;
  isPolished: boolean;
}

export async function createEncoder(
  size: { width: number; height: number },
  options: { rateController: RateController; video: boolean; clock: () => number },
): Promise<Encoder> {
  const framebuffer = createFramebuffer(size.width, size.height);
  const lossyEncoder = await createLossyEncoder(framebuffer, options);
  const state: State = {
    framebuffer,
    lossyBlocks: createLossyBlocks(size.width, size.height),
    lossyEncoder,
    moves: createMoveSearch(),
    profile: qualityProfiles.auto,
    isNew: true,
    isPolished: false,
  };
  return {
    codec: lossyEncoder.codec,
    take: (pixels, now) => take(state, pixels, now),
    refineDueAt: () => state.lossyBlocks.dueAt(restMs),
    refine: (now, isStill) => refine(state, now, isStill),
    restart() {
      state.isNew = true;
      lossyEncoder.restart();
    },
    setQuality(quality) {
      state.profile = qualityProfiles[quality];
      options.rateController.limit(state.profile);
    },
    close: () => lossyEncoder.close(),
  };
}

async function take(state: State, captured: readonly Pixels[], now: number): Promise<Encoded> {
  const { framebuffer, lossyBlocks, profile } = state;
  const copies: CopyRect[] = [];
  const boxes = captured.flatMap((pixels) => {
    const found = findChanges(state, pixels, copies, now);
    putPixels(framebuffer, pixels);
    return found;
  });
  state.isNew = false;
  const maxExact = profile.exact * (copies.length > 0 ? exactFactorAfterMove : 1);
  const plan = planEncoding(framebuffer, boxes, maxExact);
  const tiles = await encodeExactly(state, plan.exact);
  for (const box of plan.flat) {
    const flat = await paletteTiles(framebuffer, box);
    if (flat) lossyBlocks.clear([box]);
    if (flat) tiles.push(...flat);
    else plan.lossy.push(box);
  }
  const encoded = await encodeLossily(state, mergeBoxes(plan.lossy), now);
  return { ...encoded, copies, tiles: [...tiles, ...encoded.tiles] };
}

/** Applies moved content to the framebuffer, adds it to `copies` and returns the boxes that still differ. */
function findChanges(state: State, pixels: Pixels, copies: CopyRect[], now: number): Box[] {
  const { framebuffer, lossyBlocks, moves } = state;
  if (state.isNew) return [boundsOf(framebuffer)];
  if (boxArea(pixels.box) >= minMovedArea && pixels.box.height >= minMovedHeight)
    for (const copy of moves.find(framebuffer, pixels)) {
      copyRect(framebuffer, copy);
      lossyBlocks.copy(copy, now);
      copies.push(copy);
    }
  return findDifferences(framebuffer, pixels);
}

async function refine(state: State, now: number, isStill: boolean): Promise<Encoded> {
  const { lossyBlocks, lossyEncoder } = state;
  if (isStill && !state.isPolished && lossyBlocks.count() > manyBlocks) {
    state.isPolished = true;
    const polished = await lossyEncoder.polish(lossyBlocks.older(now, Infinity), now);
    if (polished) return polished;
  }
  return { copies: [], tiles: await encodeExactly(state, lossyBlocks.older(now - restMs, refineArea)) };
}

async function encodeExactly({ lossyBlocks, framebuffer }: State, boxes: readonly Box[]): Promise<Tile[]> {
  lossyBlocks.clear(boxes);
  return exactTiles(framebuffer, boxes);
}

async function encodeLossily(state: State, boxes: Box[], now: number): Promise<Encoded> {
  if (boxes.length === 0) return { copies: [], tiles: [] };
  const encoded = await state.lossyEncoder.encode(boxes, state.profile, now);
  if (!encoded) return { copies: [], tiles: await encodeExactly(state, boxes) };
  state.lossyBlocks.mark(boxes, now);
  state.isPolished = false;
  return encoded;
}
