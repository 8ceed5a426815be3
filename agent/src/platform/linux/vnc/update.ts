/** Reads one update of a VNC server: pixels go into the framebuffer, and other information is collected. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import type { CursorShape } from '../../desktop.ts';
import { checkInside, copyPixels, createServerFramebuffer, readPixels } from './server-framebuffer.ts';
import { protocolViolation } from './protocol-violation.ts';
import { encodings, type ScreenPart } from './messages.ts';
import { readShape } from './pointer-shape.ts';
import type { ByteReader } from './byte-reader.ts';

export interface Update {
  /** A new framebuffer if the size of the screen has changed. */
  framebuffer: Framebuffer;
  /** What changed. */
  boxes: Box[];
  screens?: ScreenPart[];
  shape?: CursorShape;
  pointer?: { x: number; y: number };
  /** The answer to the agent's own resize request; 0 means success. */
  resizeStatus?: number;
}

/** One update may copy at most this many screens, because copies cost the server little and the agent much. */
const maxCopiedScreens = 16;
const [ownRequest, granted] = [1, 0];

type EncodingReader = (update: Update, box: Box, reader: ByteReader) => Promise<void> | void;

const encodingReaders: Record<number, EncodingReader> = {
  async [encodings.raw](update, box, reader) {
    checkInside(update.framebuffer, box);
    await readPixels(update.framebuffer, box, reader);
    update.boxes.push(box);
  },
  async [encodings.copy](update, box, reader) {
    checkInside(update.framebuffer, box);
    await copyPixels(update.framebuffer, box, reader);
    update.boxes.push(box);
  },
  [encodings.size]: (update, box) => resize(update, box),
  [encodings.pointer]: (update, { x, y }) => void (update.pointer = { x, y }),
  [encodings.vmwarePointer]: (update, { x, y }) => void (update.pointer = { x, y }),
  async [encodings.cursor](update, box, reader) {
    update.shape = await readShape(box, reader);
  },
  async [encodings.screens](update, box, reader) {
    const screens = await readScreens(reader);
    // If the request failed, the rest does not describe the screen.
    const [reason, status] = [box.x, box.y];
    if (reason === ownRequest) update.resizeStatus = status;
    if (reason === ownRequest && status !== granted) return;
    resize(update, box);
    update.screens = screens.filter((each) => isOn(update.framebuffer, each));
  },
};

export async function readUpdate(framebuffer: Framebuffer, reader: ByteReader): Promise<Update> {
  const count = (await reader.take(3)).readUInt16BE(1);
  const update: Update = { framebuffer, boxes: [] };
  let copied = 0;
  for (let index = 0; index < count; index += 1) {
    const header = await reader.take(12);
    const [x, y, width, height] = [0, 2, 4, 6].map((at) => header.readUInt16BE(at)) as [
      number,
      number,
      number,
      number,
    ];
    const encoding = header.readInt32BE(8);
    const read =
      encodingReaders[encoding] ??
      protocolViolation(`pixels in the encoding ${encoding}, which the agent did not ask for`);
    if (encoding === encodings.copy) copied += width * height;
    if (copied > maxCopiedScreens * framebuffer.width * framebuffer.height)
      protocolViolation('more copied pixels than the agent accepts');
    await read(update, { x, y, width, height }, reader);
  }
  return update;
}

/** Earlier changes do not apply to the new screen, which is requested again as a whole. */
function resize(update: Update, { width, height }: Box): void {
  if (width === update.framebuffer.width && height === update.framebuffer.height) return;
  update.framebuffer = createServerFramebuffer({ width, height });
  update.boxes = [];
}

async function readScreens(reader: ByteReader): Promise<ScreenPart[]> {
  const [count = 0] = await reader.take(4);
  const bytes = await reader.take(16 * count);
  return Array.from({ length: count }, (_, index) => {
    const at = 16 * index;
    const [x, y, width, height] = [4, 6, 8, 10].map((offset) => bytes.readUInt16BE(at + offset)) as [
      number,
      number,
      number,
      number,
    ];
    return { id: bytes.readUInt32BE(at), x, y, width, height, flags: bytes.readUInt32BE(at + 12) };
  });
}

const isOn = (framebuffer: Framebuffer, { x, y, width, height }: ScreenPart): boolean =>
  width > 0 && height > 0 && x + width <= framebuffer.width && y + height <= framebuffer.height;
