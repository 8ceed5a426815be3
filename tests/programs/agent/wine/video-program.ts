/** Runs on Windows: encodes two frames of VP8, scales the picture to half its size, and prints the results as JSON. */
import { boundsOf, createFramebuffer, type Framebuffer } from '@drawbridge/agent/pixels/framebuffer';
import { loadHalfScaler } from '@drawbridge/agent/pixels/half-size';
import { loadVp8Codec } from '@drawbridge/agent/pixels/video/vpx';

const [width, height] = [320, 192];
const [black, white] = [0xff_00_00_00, 0xff_ff_ff_ff];
const corner = { x: 0, y: 0, width: width / 2, height: height / 2 };

/** The left half is white. */
function createPicture(): Framebuffer {
  const picture = createFramebuffer(width, height);
  picture.words.forEach((_, at, words) => (words[at] = at % width < width / 2 ? white : black));
  return picture;
}

function blackenCorner({ words }: Framebuffer): void {
  for (let y = 0; y < corner.height; y += 1) words.fill(black, y * width, y * width + corner.width);
}

/** A key frame, and a frame after the corner has become black. */
async function encodeFrames(picture: Framebuffer): Promise<(string | undefined)[]> {
  const codec = await loadVp8Codec();
  if (!codec) throw new Error('vpx.dll was not loaded.');
  const encoder = codec.createEncoder(picture, false);
  encoder.tune({ bitrate: 4_000, minQuantizer: 4, maxQuantizer: 30 });
  const key = await encoder.encode([boundsOf(picture)], true, 0);
  blackenCorner(picture);
  const next = await encoder.encode([corner], false, 33);
  encoder.close();
  return [key, next].map((frame) => frame?.toString('base64'));
}

async function run(): Promise<void> {
  const picture = createPicture();
  const frames = await encodeFrames(picture);
  const half = createFramebuffer(width / 2, height / 2);
  const scale = await loadHalfScaler();
  scale(picture, half, boundsOf(half));
  const corners = [0, half.width - 1, (half.height - 1) * half.width].map((at) => half.words[at]);
  console.log(`RESULTS ${JSON.stringify({ frames, corners })}`);
}

void run();
