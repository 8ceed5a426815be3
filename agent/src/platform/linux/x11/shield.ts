/** Blacks out the screen and blocks mouse and keyboard at the device, while the operator still sees and controls everything. */
import type x11 from 'x11';
import { NotPossible } from '../../platform.ts';
import type { X11Connection } from './connection.ts';

/** Uses the gamma ramp of the graphics card, which does not change the picture that is captured for the operator. */
export async function raiseShield(connection: X11Connection): Promise<() => Promise<void>> {
  const restoreInput = await grabInput(connection);
  try {
    const restoreGamma = await blackOut(connection);
    return async () => {
      restoreGamma();
      restoreInput();
      await sync(connection);
    };
  } catch (error) {
    restoreInput();
    throw error;
  }
}

const sync = ({ client, call }: X11Connection): Promise<unknown> =>
  call((done: x11.Done<unknown>) => client.GetInputFocus(done));

interface Gamma {
  size: number;
  red: number[];
  green: number[];
  blue: number[];
}

async function blackOut(connection: X11Connection): Promise<() => void> {
  const { root, call } = connection;
  const randr = await connection.extension('randr');
  const { crtcs } = await call<x11.Resources>((done) => randr.GetScreenResourcesCurrent(root, done));
  const known: [crtc: number, gamma: Gamma][] = [];
  for (const crtc of crtcs)
    known.push([crtc, restorableGamma(await call<Gamma>((done) => randr.GetCrtcGamma(crtc, done)))]);
  const adjustable = known.filter(([, { size }]) => size > 0);
  if (adjustable.length === 0)
    throw new NotPossible(
      'The screen of the device cannot be blacked out because its graphics driver does not support gamma.',
    );
  for (const [crtc, { size }] of adjustable) {
    const black = Array<number>(size).fill(0);
    randr.SetCrtcGamma(crtc, black, black, black);
  }
  await sync(connection);
  return () => {
    for (const [crtc, { red, green, blue }] of adjustable) randr.SetCrtcGamma(crtc, red, green, blue);
  };
}

/** Replaces a black ramp, which an agent that was killed leaves behind, by a linear one. */
function restorableGamma(gamma: Gamma): Gamma {
  if (gamma.size < 2 || gamma.red.some((value) => value > 0)) return gamma;
  const ramp = Array.from({ length: gamma.size }, (_, index) =>
    Math.round((index * 0xffff) / (gamma.size - 1)),
  );
  return { ...gamma, red: ramp, green: ramp, blue: ramp };
}

const slaves = { pointer: 3, keyboard: 4 } as const;
const allDevices = 0;
const grabDevice = 51;
const ungrabDevice = 52;
const asynchronous = 1;

/**
 * Grabs every mouse and keyboard except the virtual ones of the operator. The display releases them by itself when the
 * agent ends.
 */
async function grabInput(connection: X11Connection): Promise<() => void> {
  const { client, call } = connection;
  const xinput = await connection.extension('xinput');
  const devices = await call<x11.InputDevice[]>((done) => xinput.XIQueryDevice(allDevices, done));
  const grabbed: number[] = [];
  const release = (): void => {
    for (const device of grabbed) sendRequest(client, [xinput.majorOpcode, ungrabDevice], [0, device]);
  };
  for (const { deviceId, use, name } of devices) {
    if ((use !== slaves.pointer && use !== slaves.keyboard) || / XTEST /.test(name)) continue;
    if (!(await grab(connection, xinput.majorOpcode, deviceId))) {
      release();
      throw new NotPossible(
        `Input on the device cannot be blocked because another program has grabbed ${name}.`,
      );
    }
    grabbed.push(deviceId);
  }
  return release;
}

const grab = ({ request, root }: X11Connection, major: number, device: number): Promise<boolean> =>
  request(
    { major, minor: grabDevice },
    [root, 0, 0, device | (asynchronous << 16) | (asynchronous << 24), 0],
    (body) => body[0] === 0,
  );

function sendRequest(client: x11.Client, [major, minor]: [number, number], fields: readonly number[]): void {
  const bytes = Buffer.alloc(4 + 4 * fields.length);
  bytes.set([major, minor]);
  bytes.writeUInt16LE(1 + fields.length, 2);
  fields.forEach((field, index) => bytes.writeUInt32LE(field >>> 0, 4 + 4 * index));
  client.seq_num += 1;
  client.pack_stream.put(bytes);
  client.pack_stream.submit(false);
}
