/** Decodes the image of a tile: PNG as a bitmap, JPEG with WebCodecs where the browser has it, which takes half the time. */

const isPng = (image: Uint8Array): boolean => image[0] === 0x89;

/** If one image is broken, the others are closed at once: a device could otherwise fill the memory of the browser with them. */
export async function decodeTileImages(images: readonly Uint8Array[]): Promise<(ImageBitmap | VideoFrame)[]> {
  const decoding = images.map(decodeTileImage);
  try {
    return await Promise.all(decoding);
  } catch (error) {
    for (const each of await Promise.allSettled(decoding))
      if (each.status === 'fulfilled') each.value.close();
    throw error;
  }
}

const decodeTileImage = (image: Uint8Array): Promise<ImageBitmap | VideoFrame> =>
  isPng(image) || typeof ImageDecoder === 'undefined' ? decodeBitmap(image) : decodeJpeg(image);

// Both without colour conversion: it would change the pixels that the device shows.

async function decodeJpeg(image: Uint8Array): Promise<VideoFrame> {
  const data = image as Uint8Array<ArrayBuffer>;
  const decoder = new ImageDecoder({ data, type: 'image/jpeg', colorSpaceConversion: 'none' });
  try {
    return (await decoder.decode()).image;
  } finally {
    decoder.close();
  }
}

function decodeBitmap(image: Uint8Array): Promise<ImageBitmap> {
  const type = isPng(image) ? 'image/png' : 'image/jpeg';
  const blob = new Blob([image as Uint8Array<ArrayBuffer>], { type });
  return createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
}
