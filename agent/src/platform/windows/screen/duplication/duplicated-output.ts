/** One monitor that Windows duplicates: waits for its next frame, and copies what changed in it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox, intersect, mergeBoxes } from '../../../../pixels/boxes.ts';
import { otherInterface, requireComSuccess, comObject, type ComObject } from '../../api/com-object.ts';
import type { WindowsApi } from '../../api/windows-api.ts';
import type { DesktopPicture } from '../picture.ts';
import type { duplicationMethods } from './interfaces.ts';
import { codes, frameInfo, ids, moveRect, noMethods, rectBytes } from './interfaces.ts';
import type { StagingTexture, TextureRows } from './staging-texture.ts';

export interface DuplicatedOutput {
  /** Waits at most this long for a frame, copies what changed, and returns where that is in the picture. */
  update(waitMs: number): Promise<Box[]>;
}

interface Source {
  duplication: ComObject<typeof duplicationMethods>;
  staging: StagingTexture;
  /** The monitor's place in the picture. */
  place: Box;
}

/** Graphics cards set the transparency that copies with GDI do not have. */
const colours = 0xff_ffff;

export function watchOutput(api: WindowsApi, source: Source, picture: DesktopPicture): DuplicatedOutput {
  const { duplication, staging, place } = source;
  const { acquireNextFrame, releaseFrame } = duplication.methods;
  const info = Buffer.alloc(frameInfo.bytes);
  const resource = Buffer.alloc(8);
  let isWhole = false;

  async function copyFrame(): Promise<Box[]> {
    using frame = comObject(api, resource.readBigUInt64LE(), noMethods);
    // It is 0 if only the pointer has moved.
    if (info.readBigInt64LE(frameInfo.lastPresentTime) === 0n) return [];
    const whole = { ...place, x: 0, y: 0 };
    const boxes = isWhole ? changedBoxes(source, info.readUInt32LE(frameInfo.metadataBytes)) : [whole];
    if (boxes.length === 0) return [];
    using texture = await otherInterface(api, frame, ids.texture, noMethods);
    await staging.read(texture.address, boundingBox(boxes), (rows) => {
      for (const box of boxes) copyBox(rows, box, picture, place);
    });
    isWhole = true;
    return boxes.map((box) => ({ ...box, x: box.x + place.x, y: box.y + place.y }));
  }

  return {
    async update(waitMs) {
      const result = await acquireNextFrame.async(duplication.address, waitMs, info, resource);
      if (result >>> 0 === codes.waitTimeout) return [];
      requireComSuccess(result);
      try {
        return await copyFrame();
      } finally {
        releaseFrame(duplication.address);
      }
    },
  };
}

/** Where content changed or was moved to, counted from the corner of the monitor. */
function changedBoxes({ duplication, place }: Source, bytes: number): Box[] {
  const { address, methods } = duplication;
  const fetch = (method: typeof methods.getDirtyRects): Buffer => {
    const [found, used] = [Buffer.alloc(bytes), Buffer.alloc(4)];
    requireComSuccess(method(address, bytes, found, used));
    return found.subarray(0, used.readUInt32LE());
  };
  if (bytes === 0) return [];
  const moves = boxesIn(fetch(methods.getMoveRects), moveRect.bytes, moveRect.destination);
  const changes = boxesIn(fetch(methods.getDirtyRects), rectBytes, 0);
  return mergeBoxes([...moves, ...changes].flatMap((box) => intersect(box, { ...place, x: 0, y: 0 }) ?? []));
}

/** The RECTs at this offset in each of equal structures. */
function boxesIn(structures: Buffer, bytes: number, offset: number): Box[] {
  const boxes: Box[] = [];
  for (let at = offset; at + rectBytes <= structures.length; at += bytes)
    boxes.push(readRect(structures, at));
  return boxes;
}

export function readRect(bytes: Buffer, at: number): Box {
  const [left, top] = [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)];
  return {
    x: left,
    y: top,
    width: bytes.readInt32LE(at + 8) - left,
    height: bytes.readInt32LE(at + 12) - top,
  };
}

function copyBox({ words, stride }: TextureRows, box: Box, picture: DesktopPicture, place: Box): void {
  for (let row = 0; row < box.height; row += 1) {
    const from = (box.y + row) * stride + box.x;
    const to = (place.y + box.y + row) * picture.width + place.x + box.x;
    for (let x = 0; x < box.width; x += 1) picture.words[to + x] = words[from + x]! & colours;
  }
}
