/** Creates a small picture of the shared screen for the list of invitations. */
import type { ScreenShare } from './screen-share.ts';

const maxWidth = 320;
const quality = 0.6;

/** Returns a JPEG in base64; undefined while there is no picture. */
export async function previewOf({ picture }: ScreenShare): Promise<string | undefined> {
  if (!picture) return undefined;
  const scale = Math.min(1, maxWidth / picture.width);
  const [width, height] = [
    Math.round(picture.width * scale),
    Math.max(1, Math.round(picture.height * scale)),
  ];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d', { alpha: false })!.drawImage(picture.source, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  return new Uint8Array(await blob.arrayBuffer()).toBase64();
}
