/** Surfaces of the topmost layer with a picture in memory, which the compositor shows above all windows. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { FrameRegion } from '../frame-memory.ts';
import { newObject } from '../wire/connection.ts';
import type { Canvas } from './canvas.ts';
import type { CompositorContext } from './context.ts';
import { kinds, layer, shm, surface } from './protocol.ts';

export interface LayerSurface {
  object: number;
  /** The picture that is drawn next. */
  canvas(): Canvas;
  /** Draws a new picture and shows it, once the compositor has placed the surface. */
  paint(draw: () => void): void;
  /** In the units of the compositor, from the corner of the monitor. */
  place(box: Box): void;
  visibleMs(): number;
  /** Lets the person type into the surface, and nowhere else. */
  focus(): void;
  /** Lets them type elsewhere again. */
  blur(): void;
  close(): void;
}

export interface LayerSurfaces {
  /** `onPlaced` is called when the surface must be painted. */
  open(output: number, box: Box, onPlaced: () => void): LayerSurface;
}

const withAlpha = 0;
/** What the surface gets of the keyboard. On demand it would get it only with the next click, and the one that asks for it is over. */
const [none, exclusive] = [0, 1];

interface State {
  context: CompositorContext;
  object: number;
  layerObject: number;
  box: Box;
  /** Since when the person sees it. */
  visibleSince: number;
  canvas: Canvas;
  isPlaced: boolean;
}

export function createLayerSurfaces(context: CompositorContext): LayerSurfaces {
  const compositor = context.bind(kinds.compositor, 1)!;
  const shell = context.bind(kinds.layerShell, 4)!;
  return {
    open: (output, box, onPlaced) => openSurface(context, { compositor, shell, output, box, onPlaced }),
  };
}

interface SurfaceOptions {
  compositor: number;
  shell: number;
  output: number;
  box: Box;
  onPlaced(): void;
}

function openSurface(context: CompositorContext, options: SurfaceOptions): LayerSurface {
  const { connection } = context;
  const state = createSurface(context, options);
  const { object, layerObject } = state;
  connection.request(layerObject, layer.setAnchor, [layer.topLeft]);
  // It takes no space from windows, and moves for nothing.
  connection.request(layerObject, layer.setExclusiveZone, [-1]);
  place(state, options.box);
  return {
    object,
    canvas: () => state.canvas,
    paint: (draw) => paint(state, draw),
    place: (changed) => place(state, changed),
    visibleMs: () => Math.max(0, performance.now() - state.visibleSince),
    focus: () => setKeyboard(state, exclusive),
    blur: () => setKeyboard(state, none),
    close() {
      connection.destroy(layerObject, layer.destroy);
      connection.destroy(object, surface.destroy);
    },
  };
}

function createSurface(context: CompositorContext, options: SurfaceOptions): State {
  const { compositor, shell, output, box, onPlaced } = options;
  const { connection } = context;
  const object = connection.create(compositor, surface.create, [newObject]);
  const canvas: Canvas = { width: 1, height: 1, words: new Uint32Array(1) };
  const state: State = {
    context,
    object,
    layerObject: 0,
    box,
    visibleSince: Infinity,
    canvas,
    isPlaced: false,
  };
  state.layerObject = connection.create(
    shell,
    layer.get,
    [newObject, object, output, layer.overlay, 'drawbridge'],
    (opcode, values) => {
      if (opcode !== layer.configure) return;
      connection.request(state.layerObject, layer.ackConfigure, [values.uint()]);
      state.isPlaced = true;
      onPlaced();
    },
  );
  return state;
}

function setKeyboard({ context: { connection }, layerObject, object }: State, share: number): void {
  connection.request(layerObject, layer.setKeyboard, [share]);
  connection.request(object, surface.commit);
}

/** The compositor answers with a place, after which the surface is painted. */
function place(state: State, box: Box): void {
  const { connection } = state.context;
  state.box = box;
  connection.request(state.layerObject, layer.setSize, [box.width, box.height]);
  connection.request(state.layerObject, layer.setMargin, [box.y, 0, 0, box.x]);
  connection.request(state.object, surface.commit);
}

/** Each picture has memory of its own, which is free when the compositor has read it. */
function paint(state: State, draw: () => void): void {
  const { context, object, box } = state;
  const { connection, memory } = context;
  if (!state.isPlaced) return;
  const { width, height } = box;
  const region: FrameRegion = memory.allocate(width * height);
  const words = memory.words.subarray(region.offset, region.offset + width * height);
  state.canvas = { width, height, words };
  draw();
  const shape = { width, height, stride: width * 4, format: withAlpha };
  const buffer: number = context.createBuffer(region, shape, () => {
    connection.destroy(buffer, shm.destroyBuffer);
    region.free();
  });
  connection.request(object, surface.attach, [buffer, 0, 0]);
  connection.request(object, surface.damage, [0, 0, width, height]);
  connection.request(object, surface.commit);
  if (state.visibleSince === Infinity) state.visibleSince = performance.now();
}
