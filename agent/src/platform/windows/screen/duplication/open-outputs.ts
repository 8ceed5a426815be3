/** Asks Windows to duplicate each monitor of the desktop. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { comObject, otherInterface, receiveObject, requireComSuccess, toGuid } from '../../api/com-object.ts';
import type { ComInterface, ComObject } from '../../api/com-object.ts';
import type { Handle, WindowsApi } from '../../api/windows-api.ts';
import type { DesktopPicture } from '../picture.ts';
import { readRect, watchOutput, type DuplicatedOutput } from './duplicated-output.ts';
import {
  adapterMethods,
  codes,
  contextMethods,
  deviceMethods,
  duplicationMethods,
  factoryMethods,
  ids,
  outputDesc,
  outputMethods,
} from './interfaces.ts';
import { createStagingTexture, type GraphicsDevice } from './staging-texture.ts';

export interface OpenedOutput {
  output: DuplicatedOutput;
  /** On the desktop. */
  box: Box;
}

/** The monitors are disposed of with the stack, also if one of them cannot be duplicated. Frames are copied into the picture of `area`. */
export async function openOutputs(
  api: WindowsApi,
  { area, picture }: { area: Box; picture: DesktopPicture },
  stack: DisposableStack,
): Promise<OpenedOutput[]> {
  const factory = stack.use(
    await receiveObject(api, factoryMethods, (address) =>
      api.CreateDXGIFactory1.async(toGuid(ids.factory), address),
    ),
  );
  const opened: OpenedOutput[] = [];
  const adapters = listObjects(api, adapterMethods, stack, (number, found) =>
    factory.methods.enumAdapters(factory.address, number, found),
  );
  for (const adapter of adapters) {
    const outputs = listObjects(api, outputMethods, stack, (number, found) =>
      adapter.methods.enumOutputs(adapter.address, number, found),
    ).filter(isAttached);
    const device = outputs.length > 0 ? await openDevice(api, adapter.address, stack) : undefined;
    for (const each of outputs) {
      const box = readRect(describe(each), outputDesc.box);
      const place = { ...box, x: box.x - area.x, y: box.y - area.y };
      const staging = stack.use(await createStagingTexture(api, device!, box));
      const duplication = stack.use(await duplicate(api, each, device!));
      opened.push({ output: watchOutput(api, { duplication, staging, place }, picture), box });
    }
  }
  return opened;
}

/** Asks for one object after the other. */
function listObjects<Interface extends ComInterface>(
  api: WindowsApi,
  table: Interface,
  stack: DisposableStack,
  enumerate: (number: number, address: Buffer) => number,
): ComObject<Interface>[] {
  const found: ComObject<Interface>[] = [];
  for (;;) {
    const address = Buffer.alloc(8);
    const result = enumerate(found.length, address);
    if (result >>> 0 === codes.notFound) return found;
    requireComSuccess(result);
    found.push(stack.use(comObject(api, address.readBigUInt64LE(), table)));
  }
}

const rotations = { unspecified: 0, none: 1 } as const;

function describe({ address, methods }: ComObject<typeof outputMethods>): Buffer {
  const bytes = Buffer.alloc(outputDesc.bytes);
  requireComSuccess(methods.getDesc(address, bytes));
  return bytes;
}

const isAttached = (output: ComObject<typeof outputMethods>): boolean =>
  describe(output).readInt32LE(outputDesc.attached) !== 0;

const sdkVersion = 7;
const givenAdapter = 0;

async function openDevice(api: WindowsApi, adapter: Handle, stack: DisposableStack): Promise<GraphicsDevice> {
  const [device, context] = [Buffer.alloc(8), Buffer.alloc(8)];
  requireComSuccess(
    await api.D3D11CreateDevice.async(
      adapter,
      givenAdapter,
      0,
      0,
      null,
      0,
      sdkVersion,
      device,
      null,
      context,
    ),
  );
  return {
    device: stack.use(comObject(api, device.readBigUInt64LE(), deviceMethods)),
    context: stack.use(comObject(api, context.readBigUInt64LE(), contextMethods)),
  };
}

/** Windows duplicates a turned monitor as it stands on its stand, which is left to GDI. */
async function duplicate(
  api: WindowsApi,
  output: ComObject<typeof outputMethods>,
  { device }: GraphicsDevice,
): Promise<ComObject<typeof duplicationMethods>> {
  const rotation = describe(output).readUInt32LE(outputDesc.rotation);
  if (rotation !== rotations.none && rotation !== rotations.unspecified)
    throw new Error('A monitor is turned.');
  using duplicable = await otherInterface(api, output, ids.output, outputMethods);
  return receiveObject(api, duplicationMethods, (address) =>
    duplicable.methods.duplicateOutput(duplicable.address, device.address, address),
  );
}
