/** Changes the size of the only monitor of a wlroots compositor, if the compositor lets programs do that. */
import type { ScreenSize } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import { commonSizes } from '../../common-sizes.ts';
import { newObject, type WaylandConnection } from '../wire/connection.ts';
import type { WireReader } from '../wire/wire-format.ts';
import type { CompositorContext } from '../compositor/context.ts';
import type { Outputs } from '../compositor/outputs.ts';
import { kinds, management } from '../compositor/protocol.ts';

export interface ScreenResizer {
  sizes(): readonly ScreenSize[];
  resize(width: number, height: number): Promise<void>;
}

interface Head {
  object: number;
  name: string;
  modes: Map<number, ScreenSize>;
}

interface State {
  connection: WaylandConnection;
  manager: number;
  outputs: Outputs;
  heads: Head[];
  serial: number;
}

const largest = { width: 7_680, height: 4_320 };
const maxSizes = 128;
const answerTimeoutMs = 5_000;

export async function watchHeads({ connection, outputs }: CompositorContext): Promise<ScreenResizer> {
  const global = connection.globals().find(({ kind }) => kind === kinds.outputManagement);
  if (!global) return { sizes: () => [], resize: refuse };
  const state: State = { connection, outputs, manager: 0, heads: [], serial: 0 };
  state.manager = connection.bind(global, 1, (opcode, values) => {
    if (opcode === management.head) addHead(state, values.uint());
    else if (opcode === management.done) state.serial = values.uint();
  });
  await connection.sync();
  return {
    sizes: () => sizesOf(state),
    resize: (width, height) => resize(state, { width, height }),
  };
}

async function refuse(): Promise<never> {
  throw new NotPossible('The compositor of the device does not let programs change the size of the screen.');
}

function addHead({ connection, heads }: State, object: number): void {
  const head: Head = { object, name: '', modes: new Map() };
  heads.push(head);
  connection.adopt(object, (opcode, values) => {
    if (opcode === management.headName) head.name = values.text();
    else if (opcode === management.headMode) addMode(connection, head, values);
    else if (opcode === management.headFinished) heads.splice(heads.indexOf(head), 1);
  });
}

function addMode(connection: WaylandConnection, { modes }: Head, values: WireReader): void {
  const mode = values.uint();
  connection.adopt(mode, (opcode, read) => {
    if (opcode === management.modeSize) modes.set(mode, { width: read.int(), height: read.int() });
    else if (opcode === management.modeFinished) modes.delete(mode);
  });
}

/** Undefined if there are several monitors. Whether a head is enabled is not asked: sway 1.7 denies it for virtual ones. */
function onlyHead({ heads, outputs }: State): Head | undefined {
  const [first, ...more] = outputs.list();
  return more.length === 0 ? heads.find(({ name }) => name === first?.name) : undefined;
}

/** A virtual monitor supports any size. */
const isVirtual = ({ name }: Head): boolean => /^(HEADLESS|WL|X11)-/.test(name);

function sizesOf(state: State): readonly ScreenSize[] {
  const head = onlyHead(state);
  if (!head) return [];
  if (isVirtual(head)) return commonSizes(largest);
  const sizes = new Map([...head.modes.values()].map((size) => [`${size.width}x${size.height}`, size]));
  return [...sizes.values()].slice(0, maxSizes);
}

async function resize(state: State, { width, height }: ScreenSize): Promise<void> {
  const { connection, manager, serial } = state;
  const head = onlyHead(state);
  if (!head)
    throw new NotPossible(
      'The size of the screen can be changed only if the device has exactly one monitor.',
    );
  const [mode] = [...head.modes].find(([, size]) => size.width === width && size.height === height) ?? [];
  if (mode === undefined && !isVirtual(head))
    throw new NotPossible(`The screen of the device cannot be set to ${width}×${height} pixels.`);
  const applied = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => applied.resolve(false), answerTimeoutMs);
  const configuration = connection.create(
    manager,
    management.createConfiguration,
    [newObject, serial],
    (opcode) => applied.resolve(opcode === management.succeeded),
  );
  const change = connection.create(configuration, management.enableHead, [newObject, head.object]);
  if (mode === undefined) connection.request(change, management.setCustomMode, [width, height, 0]);
  else connection.request(change, management.setMode, [mode]);
  for (const other of state.heads)
    if (other !== head) connection.request(configuration, management.disableHead, [other.object]);
  connection.request(configuration, management.apply);
  const isApplied = await applied.promise.finally(() => clearTimeout(timer));
  connection.destroy(configuration, management.destroyConfiguration);
  if (!isApplied)
    throw new NotPossible(`The compositor of the device refused the size of ${width}×${height} pixels.`);
}
