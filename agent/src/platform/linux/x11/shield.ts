/** A black screen for the person at the device, whose mouse and keyboard rest, while the operator sees and does everything. */
import type x11 from 'x11';
import { NotPossible } from '../../platform.ts';
import type { X11Connection } from './connection.ts';

/** Blacks out through the gamma of the graphics card: the picture that is read for the operator stays as it is. */
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

/** A screen that is black already, as an agent that was killed leaves it, gets its picture back in the end. */
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
const atOnce = 1;

/**
 * Takes every mouse and keyboard for ourselves but those through which the operator acts. The display gives them back by
 * itself when the agent is gone.
 */
async function grabInput(connection: X11Connection): Promise<() => void> {
  const { client, call } = connection;
  const xinput = await connection.extension('xinput');
  const devices = await call<x11.InputDevice[]>((done) => xinput.XIQueryDevice(allDevices, done));
  const taken: number[] = [];
  const giveBack = (): void => {
    for (const device of taken) sendRequest(client, [xinput.majorOpcode, ungrabDevice], [0, device]);
  };
  for (const { deviceId, use, name } of devices) {
    if ((use !== slaves.pointer && use !== slaves.keyboard) || / XTEST /.test(name)) continue;
    if (!(await grab(connection, xinput.majorOpcode, deviceId))) {
      giveBack();
      throw new NotPossible(
        `Input on the device cannot be blocked because another program has grabbed ${name}.`,
      );
    }
    taken.push(deviceId);
  }
  return giveBack;
}

const grab = ({ request, root }: X11Connection, major: number, device: number): Promise<boolean> =>
  request(
    { major, minor: grabDevice },
    [root, 0, 0, device | (atOnce << 16) | (atOnce << 24), 0],
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
