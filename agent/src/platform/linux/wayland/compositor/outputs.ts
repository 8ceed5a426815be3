/** The monitors of a compositor, and where each one is in the picture that operators see. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { ScreenSize } from '../../../desktop.ts';
import {
  newObject,
  type EventHandler,
  type WaylandConnection,
  type WaylandGlobal,
} from '../wire/connection.ts';
import { kinds, output, outputName } from './protocol.ts';

export interface WaylandOutput {
  object: number;
  name: string;
  /** How the monitor is rotated: quarter turns, and 4 more if it is mirrored. */
  transform: number;
  /** In pixels, as the person sees it. */
  size: ScreenSize;
  /** In the units of the compositor, which are larger than pixels on a scaled monitor. */
  logical: Box;
}

/** An output and its place in the picture. */
export interface PlacedOutput extends WaylandOutput {
  box: Box;
}

export interface Outputs {
  list(): PlacedOutput[];
  /** Grows with every change. */
  version(): number;
  onChange(listener: () => void): void;
}

interface OutputState extends WaylandOutput {
  mode: ScreenSize;
}

/** Resolves when all monitors are known. */
export async function watchOutputs(connection: WaylandConnection): Promise<Outputs> {
  const known = new Map<number, OutputState>();
  const listeners: (() => void)[] = [];
  let [version, isReady] = [0, false];
  const changed = (): void => {
    version += 1;
    if (isReady) for (const listener of listeners) listener();
  };
  const manager = connection.globals().find(({ kind }) => kind === kinds.outputNames)!;
  const names = connection.bind(manager, 3);
  const update = (): void => {
    const present = connection.globals().filter(({ kind }) => kind === kinds.output);
    for (const name of known.keys())
      if (!present.some((global) => global.name === name)) {
        known.delete(name);
        changed();
      }
    for (const global of present)
      if (!known.has(global.name)) known.set(global.name, watchOutput(connection, names, global, changed));
  };
  connection.onGlobals(update);
  update();
  await connection.sync();
  isReady = true;
  return {
    list: () => placeOutputs([...known.values()].filter(isShown).map(toOutput)),
    version: () => version,
    onChange: (listener) => void listeners.push(listener),
  };
}

const isShown = ({ mode, logical }: OutputState): boolean => mode.width > 0 && logical.width > 0;

const isOnSide = (transform: number): boolean => transform % 2 === 1;

function toOutput({ mode: { width, height }, ...known }: OutputState): WaylandOutput {
  return { ...known, size: isOnSide(known.transform) ? { width: height, height: width } : { width, height } };
}

function watchOutput(
  connection: WaylandConnection,
  names: number,
  global: WaylandGlobal,
  changed: () => void,
): OutputState {
  const state: OutputState = {
    object: 0,
    name: `monitor-${global.name}`,
    transform: 0,
    size: { width: 0, height: 0 },
    mode: { width: 0, height: 0 },
    logical: { x: 0, y: 0, width: 0, height: 0 },
  };
  state.object = connection.bind(global, 4, onOutput(state, changed));
  connection.create(names, outputName.get, [newObject, state.object], onOutputName(state, changed));
  return state;
}

const onOutput =
  (state: OutputState, changed: () => void): EventHandler =>
  (opcode, values) => {
    if (opcode === output.geometry) {
      for (let skipped = 0; skipped < 5; skipped += 1) values.int();
      for (let skipped = 0; skipped < 2; skipped += 1) values.text();
      state.transform = values.int();
    } else if (opcode === output.mode) {
      const [flags, width, height] = [values.uint(), values.int(), values.int()];
      if (flags & output.isCurrentMode) state.mode = { width, height };
    } else return;
    changed();
  };

const onOutputName =
  (state: OutputState, changed: () => void): EventHandler =>
  (opcode, values) => {
    if (opcode === outputName.name) state.name = values.text();
    else if (opcode === outputName.position)
      state.logical = { ...state.logical, x: values.int(), y: values.int() };
    else if (opcode === outputName.size)
      state.logical = { ...state.logical, width: values.int(), height: values.int() };
    else return;
    changed();
  };

/**
 * Every monitor keeps its pixels. Distances are enlarged by the largest scale, so that no monitor covers another; beside a
 * monitor with a smaller scale there is a gap.
 */
export function placeOutputs(outputs: readonly WaylandOutput[]): PlacedOutput[] {
  const scale = Math.max(1, ...outputs.map(({ size, logical }) => size.width / logical.width));
  const left = Math.min(...outputs.map(({ logical }) => logical.x));
  const top = Math.min(...outputs.map(({ logical }) => logical.y));
  return outputs
    .map((each) => {
      const [x, y] = [(each.logical.x - left) * scale, (each.logical.y - top) * scale];
      return { ...each, box: { x: Math.round(x), y: Math.round(y), ...each.size } };
    })
    .toSorted((one, other) => one.box.x - other.box.x || one.box.y - other.box.y);
}
