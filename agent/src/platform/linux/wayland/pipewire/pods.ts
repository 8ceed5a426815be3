/** The binary values (PODs) in which PipeWire describes formats and buffers. Sizes and names are those of SPA, its plugin interface. */

const types = { id: 3, int: 4, rectangle: 10, fraction: 11, object: 15, choice: 19 } as const;
const choices = { none: 0, range: 1, enum: 3, flags: 4 } as const;
const [formatObject, buffersObject, metaObject] = [0x40003, 0x40004, 0x40005];
export const params = { enumFormat: 3, format: 4, buffers: 5, meta: 6 } as const;
const keys = {
  mediaType: 1,
  mediaSubtype: 2,
  videoFormat: 0x20001,
  size: 0x20003,
  frameRate: 0x20004,
  maxFrameRate: 0x20005,
};
const [video, raw] = [2, 1];
/** Four bytes a pixel, blue first, the fourth unused or alpha. */
const pixelFormats = [8, 12];
export const metas = { header: 1, cursor: 5 } as const;
const cursorMetaBytes = (side: number): number => 28 + 20 + side * side * 4;
/** Memory that the process can read: plain or as a file. */
const dataTypes = (1 << 1) | (1 << 2);
const maxSide = 16_384;

const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);

function pod(type: number, body: Buffer): Buffer {
  const padding = Buffer.alloc(-body.length & 7);
  return Buffer.concat([words(body.length, type), body, padding]);
}

const choice = (kind: number, type: number, bytes: number, ...values: number[]): Buffer =>
  pod(types.choice, Buffer.concat([words(kind, 0, bytes, type), words(...values)]));

const object = (type: number, id: number, properties: readonly (readonly [number, Buffer])[]): Buffer =>
  pod(
    types.object,
    Buffer.concat([words(type, id), ...properties.flatMap(([key, value]) => [words(key, 0), value])]),
  );

/** The formats that the agent can read, at most so many frames a second. */
export const offeredFormat = (framesPerSecond: number): Buffer =>
  object(formatObject, params.enumFormat, [
    [keys.mediaType, pod(types.id, words(video))],
    [keys.mediaSubtype, pod(types.id, words(raw))],
    [keys.videoFormat, choice(choices.enum, types.id, 4, pixelFormats[0]!, ...pixelFormats)],
    [keys.size, choice(choices.range, types.rectangle, 8, 1_920, 1_080, 1, 1, maxSide, maxSide)],
    [keys.frameRate, choice(choices.range, types.fraction, 8, 0, 1, 0, 1, framesPerSecond, 1)],
    [
      keys.maxFrameRate,
      choice(choices.range, types.fraction, 8, framesPerSecond, 1, 1, 1, framesPerSecond, 1),
    ],
  ]);

/** Few buffers in readable memory, with the pointer beside the picture. */
export const wantedBuffers = (): Buffer[] => [
  object(buffersObject, params.buffers, [
    [1, choice(choices.range, types.int, 4, 4, 2, 8)],
    [6, choice(choices.flags, types.int, 4, dataTypes)],
  ]),
  object(metaObject, params.meta, [
    [1, pod(types.id, words(metas.cursor))],
    [2, choice(choices.range, types.int, 4, cursorMetaBytes(64), cursorMetaBytes(1), cursorMetaBytes(384))],
  ]),
];

/** Returns the size in a format that was agreed on; undefined if it has none. */
export function sizeOfFormat(format: Buffer): { width: number; height: number } | undefined {
  for (let at = 16; at + 16 <= format.length;) {
    const [key, bytes, type] = [
      format.readUInt32LE(at),
      format.readUInt32LE(at + 8),
      format.readUInt32LE(at + 12),
    ];
    // A value that is fixed may still come as a choice with one alternative.
    const value = type === types.choice ? at + 32 : at + 16;
    if (key === keys.size)
      return { width: format.readUInt32LE(value), height: format.readUInt32LE(value + 4) };
    at += 16 + ((bytes + 7) & ~7);
  }
  return undefined;
}
