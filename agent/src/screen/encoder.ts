/** From grabbed pixels to frames: what moved is copied, small changes go exactly, large ones lossily and are made exact later. */
import type { Box, CopyRect, Tile } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { qualityProfiles, type Quality } from './quality-profiles.ts';
import { boxArea, mergeBoxes } from '../pixels/boxes.ts';
import { findDifferences } from '../pixels/find-differences.ts';
import { exactTiles, paletteTiles } from '../pixels/exact-tiles.ts';
import type { RateController } from './rate-controller.ts';
import { blockSize, createLossyBlocks } from '../pixels/lossy-blocks.ts';
import { createLossyEncoder } from './lossy-encoder.ts';
import { createMoveSearch } from '../pixels/move-search.ts';
import { copyRect, createFramebuffer, putPixels, boundsOf } from '../pixels/framebuffer.ts';
import { planEncoding } from './encoding-plan.ts';
import type { Encoded } from './encoded-frame.ts';

export interface Encoder {
  codec: 'vp8' | 'tiles';
  /** Takes over newly grabbed pixels, whose boxes do not meet. */
  take(pixels: readonly Pixels[], now: number): Promise<Encoded>;
  /** When there will be something to make exact; undefined when all is. */
  refineDueAt(): number | undefined;
  /** Makes some of what was sent lossily and rests exact; `isStill`: nothing at all changes. */
  refine(now: number, isStill: boolean): Promise<Encoded>;
  /** Starts over: the next pixels taken are the whole picture. */
  restart(): void;
  setQuality(quality: Quality): void;
  close(): void;
}

/** Content is looked for elsewhere when at least so much changed. */
const [smallestMoved, lowestMoved] = [32 * 1_024, 48];
/** What moved leaves more behind that is worth sending exactly. */
const moreAfterMove = 3;
/** What was sent lossily is made exact when it has not changed for so long, so many pixels at once. */
const [restMs, atOnce] = [300, 64 * 1_024];
/** A picture that rests is polished by video first where so many blocks are not exact. */
const manyBlocks = (4 * atOnce) / blockSize ** 2;

export async function createEncoder(
  size: { width: number; height: number },
  given: { rateController: RateController; video: boolean; clock: () => number },
): Promise<Encoder> {
  const framebuffer = createFramebuffer(size.width, size.height);
  const lossyBlocks = createLossyBlocks(size.width, size.height);
  const lossyEncoder = await createLossyEncoder(framebuffer, given);
  const moves = createMoveSearch();
  let profile = qualityProfiles.auto;
  let [isNew, isPolished] = [true, false];

  const differences = (pixels: Pixels, copies: CopyRect[], now: number): Box[] => {
    if (isNew) return [boundsOf(framebuffer)];
    if (boxArea(pixels.box) >= smallestMoved && pixels.box.height >= lowestMoved)
      for (const copy of moves.find(framebuffer, pixels)) {
        copyRect(framebuffer, copy);
        lossyBlocks.copy(copy, now);
        copies.push(copy);
      }
    return findDifferences(framebuffer, pixels);
  };

  const exactly = async (boxes: readonly Box[]): Promise<Tile[]> => {
    lossyBlocks.clear(boxes);
    return exactTiles(framebuffer, boxes);
  };
  const lossily = async (boxes: Box[], now: number): Promise<Encoded> => {
    if (boxes.length === 0) return { copies: [], tiles: [] };
    const encoded = await lossyEncoder.encode(boxes, profile, now);
    if (!encoded) return { copies: [], tiles: await exactly(boxes) };
    lossyBlocks.mark(boxes, now);
    isPolished = false;
    return encoded;
  };

  return {
    codec: lossyEncoder.codec,
    async take(grabbed, now) {
      const copies: CopyRect[] = [];
      const boxes = grabbed.flatMap((pixels) => {
        const found = differences(pixels, copies, now);
        putPixels(framebuffer, pixels);
        return found;
      });
      isNew = false;
      const plan = planEncoding(framebuffer, boxes, profile.exact * (copies.length > 0 ? moreAfterMove : 1));
      const tiles = await exactly(plan.exact);
      for (const box of plan.flat) {
        const flat = await paletteTiles(framebuffer, box);
        if (flat) lossyBlocks.clear([box]);
        if (flat) tiles.push(...flat);
        else plan.lossy.push(box);
      }
      const encoded = await lossily(mergeBoxes(plan.lossy), now);
      return { ...encoded, copies, tiles: [...tiles, ...encoded.tiles] };
    },
    refineDueAt: () => lossyBlocks.dueAt(restMs),
    async refine(now, isStill) {
      if (isStill && !isPolished && lossyBlocks.count() > manyBlocks) {
        isPolished = true;
        const polished = await lossyEncoder.polish(lossyBlocks.older(now, Infinity), now);
        if (polished) return polished;
      }
      return { copies: [], tiles: await exactly(lossyBlocks.older(now - restMs, atOnce)) };
    },
    restart() {
      isNew = true;
      lossyEncoder.restart();
    },
    setQuality(quality) {
      profile = qualityProfiles[quality];
      given.rateController.limit(profile);
    },
    close: () => lossyEncoder.close(),
  };
}
