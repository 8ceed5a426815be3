/** A texture in memory that the processor can read, which receives what the graphics card shows. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { receiveObject, requireComSuccess, type ComObject } from '../../api/com-object.ts';
import type { Handle, WindowsApi } from '../../api/windows-api.ts';
import { mapped, noMethods, type contextMethods, type deviceMethods } from './interfaces.ts';

export interface GraphicsDevice {
  device: ComObject<typeof deviceMethods>;
  context: ComObject<typeof contextMethods>;
}

export interface TextureRows {
  words: Uint32Array;
  /** The distance between two rows in words. */
  stride: number;
}

export interface StagingTexture extends Disposable {
  /** Copies a part of the texture at this address, and passes the rows of all to `use`, which may use them only until it returns. */
  read(texture: Handle, part: Box, use: (rows: TextureRows) => void): Promise<void>;
}

const bgra = 87;
const staging = 3;
const readable = 0x2_0000;
const mapForReading = 1;

export async function createStagingTexture(
  api: WindowsApi,
  { device, context }: GraphicsDevice,
  { width, height }: Pick<Box, 'width' | 'height'>,
): Promise<StagingTexture> {
  // Width, height, mipmaps, textures, format, samples, their quality, use, bindings, access, others.
  const shape = uints(width, height, 1, 1, bgra, 1, 0, staging, 0, readable, 0);
  const texture = await receiveObject(api, noMethods, (address) =>
    device.methods.createTexture(device.address, shape, null, address),
  );
  const { copyRegion, map, unmap } = context.methods;
  const memory = Buffer.alloc(mapped.bytes);
  const viewRows = createRowsView(api, height);
  return {
    async read(source, part, use) {
      const { x, y } = part;
      const box = uints(x, y, 0, x + part.width, y + part.height, 1);
      copyRegion(context.address, texture.address, 0, x, y, 0, source, 0, box);
      // In another thread, because it waits for the graphics card.
      requireComSuccess(await map.async(context.address, texture.address, 0, mapForReading, 0, memory));
      use(viewRows(memory));
      unmap(context.address, texture.address, 0);
    },
    [Symbol.dispose]: () => texture[Symbol.dispose](),
  };
}

/** A view counts with all its bytes for the garbage collector, so it is kept while Windows maps the texture to the same place. */
function createRowsView(api: WindowsApi, height: number): (memory: Buffer) => TextureRows {
  const previous = Buffer.alloc(mapped.bytes);
  let rows: TextureRows | undefined;
  return (memory) => {
    if (rows && memory.equals(previous)) return rows;
    memory.copy(previous);
    const rowBytes = memory.readUInt32LE(mapped.rowBytes);
    const bytes = api.memory(memory.readBigUInt64LE(mapped.address), rowBytes * height);
    rows = { words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), stride: rowBytes / 4 };
    return rows;
  };
}

const uints = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
