/** Drags of files on a compositor with layer-shell: an invisible surface under the pointer takes them. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { DragSearch, DropListener, DropTarget } from '../../../../drag/file-drags.ts';
import type { UriDrags } from '../../../drag/reachable-drags.ts';
import { loadLibc } from '../../libc.ts';
import type { CompositorContext } from '../context.ts';
import { createLayerSurfaces, type LayerSurface, type LayerSurfaces } from '../layer-surface.ts';
import type { PlacedOutput } from '../outputs.ts';
import { dataDevices } from '../protocol.ts';
import { watchDragOffers, type DragListener, type DragOffer, type DragOffers } from './drag-offers.ts';

interface Point {
  x: number;
  y: number;
}

/** Moves the pointer a little and back, because compositors may look for what is under a drag only when it moves. */
export interface PointerStirrer {
  stir(at: Point): void;
  close(): void;
}

interface Deps extends Pick<PointerStirrer, 'stir'> {
  context: CompositorContext;
  surfaces: LayerSurfaces;
  offers: DragOffers;
}

const sidePixels = 64;
/** The compositor tells of a drag only over a surface of ours: without an answer in this time there is none. */
const findTimeoutMs = 1_000;
/** A program may tell the compositor of its drag only after the surface is there. */
const [stirEveryMs, mostStirs] = [200, 10];

/** Absent if the compositor does not tell other programs of drags. */
export function uriDragsOf(
  context: CompositorContext,
  openStirrer: () => PointerStirrer,
): (() => Promise<UriDrags>) | undefined {
  const global = context.connection.globals().find(({ kind }) => kind === dataDevices.kind);
  if (!global || global.version < dataDevices.version) return undefined;
  return async () => {
    const libc = await loadLibc();
    const manager = context.bind(dataDevices.kind, dataDevices.version)!;
    const offers = watchDragOffers(context, libc, manager);
    const stirrer = openStirrer();
    const deps: Deps = { context, stir: stirrer.stir, surfaces: createLayerSurfaces(context), offers };
    return {
      // No compositor tells other programs that a drag begins.
      onBegin() {},
      search: (pointer) => search(deps, pointer),
      openTarget: (position, listener) => openTarget(deps, position, listener),
      close() {
        offers.close();
        stirrer.close();
      },
    };
  };
}

function search(deps: Deps, position: Point): DragSearch {
  const { promise: found, resolve } = Promise.withResolvers<boolean>();
  const surface = openSurface(deps, position, {
    onEnter: (offer) => resolve(offer.hasFiles()),
    onLeave() {},
    onDrop() {},
  });
  const timer = setTimeout(resolve, findTimeoutMs, false);
  return {
    found,
    move: surface.move,
    close() {
      clearTimeout(timer);
      resolve(false);
      surface.close();
    },
  };
}

interface Target {
  deps: Deps;
  listener: DropListener<string>;
  /** The drag that is over it. */
  offer: DragOffer | undefined;
  isAccepted: Promise<boolean> | undefined;
}

function openTarget(deps: Deps, position: Point, listener: DropListener<string>): DropTarget {
  const target: Target = { deps, listener, offer: undefined, isAccepted: undefined };
  const ignore = (): void => {}; // the desktop has ended, and the drag with it
  return openSurface(deps, position, {
    onEnter: (offer) => void answer(target, offer).catch(ignore),
    onLeave: () => void (target.offer = undefined),
    onDrop: () => void drop(target).catch(ignore),
  });
}

async function answer(target: Target, offer: DragOffer): Promise<void> {
  const { deps, listener } = target;
  const isFirst = target.isAccepted === undefined;
  target.offer = offer;
  target.isAccepted ??= offer.read().then((text) => text !== undefined && listener.onFiles(text));
  const isAccepted = await target.isAccepted;
  offer.answer(isAccepted);
  if (!isFirst || !isAccepted) return;
  await deps.context.connection.sync();
  // A program may only let its files be moved.
  if (offer.isCopied()) listener.onAccepted();
}

async function drop({ offer, isAccepted, listener }: Target): Promise<void> {
  if ((await isAccepted) && offer?.finish()) listener.onDrop();
}

/**
 * It covers nothing: the picture stays as it is. While a program drags, or a button is held, clicks do not reach it. The pointer is
 * stirred until the drag is over it, for a while.
 */
function openSurface(
  { context, surfaces, offers, stir }: Deps,
  position: Point,
  listener: DragListener,
): DropTarget {
  const stirring = createStirring(stir, position);
  const place = placeOf(context, position);
  if (!place) return { move() {}, close() {} };
  const { output, box } = place;
  const surface: LayerSurface = surfaces.open(output.object, box, () =>
    surface.paint(() => void surface.canvas().words.fill(0)),
  );
  stirring.begin();
  const stopWatching = offers.watch(surface.object, {
    ...listener,
    onEnter(offer) {
      stirring.end();
      listener.onEnter(offer);
    },
    onLeave() {
      stirring.begin();
      listener.onLeave();
    },
  });
  return {
    move(x, y) {
      stirring.move({ x, y });
      const next = placeOf(context, { x, y });
      if (next?.output.object === output.object) surface.place(next.box);
    },
    close() {
      stirring.end();
      stopWatching();
      surface.close();
    },
  };
}

/** Stirs the pointer where it was last, a limited number of times after each begin. */
function createStirring(stir: PointerStirrer['stir'], position: Point) {
  let at = position;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearInterval(timer);
  return {
    begin() {
      end();
      let left = mostStirs;
      timer = setInterval(() => {
        stir(at);
        left -= 1;
        if (left === 0) end();
      }, stirEveryMs);
    },
    move: (to: Point): void => void (at = to),
    end,
  };
}

/**
 * The monitor under a point of the picture, and the place of the surface on it in the units of the compositor; undefined if no
 * monitor is switched on.
 */
function placeOf(
  { outputs }: CompositorContext,
  { x, y }: Point,
): { output: PlacedOutput; box: Box } | undefined {
  const all = outputs.list();
  const output = all.find((each) => isOn(each, x, y)) ?? all[0];
  if (!output) return undefined;
  const { box, logical } = output;
  const scale = logical.width / box.width;
  const centre = { x: (x - box.x) * scale, y: (y - box.y) * scale };
  const side = { width: sidePixels, height: sidePixels };
  return {
    output,
    box: { x: Math.round(centre.x - sidePixels / 2), y: Math.round(centre.y - sidePixels / 2), ...side },
  };
}

const isOn = ({ box }: PlacedOutput, x: number, y: number): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
