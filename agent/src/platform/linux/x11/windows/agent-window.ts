/** A window of the agent that restores itself: it stays above all others at its position, whatever other programs do to it. */
import type x11 from 'x11';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { isSameBox } from '../../../../pixels/boxes.ts';
import type { X11Connection } from '../connection.ts';

export interface WindowShape extends Box {
  /** The name for programs that list windows. */
  title: string;
  background: number;
  border: number;
  /** For windows with text input under Wayland, because its compositor gives keyboard focus only to windows it manages. */
  isManaged?: boolean | undefined;
  /** The display is Xwayland. */
  isUnderWayland?: boolean;
  /** The window is shown only when it is placed. */
  isPlacedLater?: boolean;
  /** The person must answer it, so no other window of the agent is raised above it. */
  isQuestion?: boolean;
}

export interface AgentWindow {
  /** Changes when the window is replaced. */
  readonly id: number;
  place(box: Box): void;
  /** How long the whole window has been visible; 0 while something covers it. */
  visibleMs(): number;
  close(): void;
}

/** Limits how often the window is raised, because two programs that both want to be on top would keep the display busy. */
const restoreEveryMs = 500;
const events = { keyPress: 1, buttonPress: 4, exposure: 0x8000, visibility: 0x1_0000, structure: 0x2_0000 };
const allEvents = Object.values(events).reduce((mask, event) => mask | event);
const unobscured = 0;

/** The open questions on each display. */
const questions = new WeakMap<X11Connection, Set<State>>();

interface State {
  connection: X11Connection;
  shape: WindowShape;
  atoms: TypeAtoms;
  /** Where the window belongs. */
  box: Box;
  id: number;
  /** Windows that were replaced and whose last events may still arrive. */
  former: Set<number>;
  isShown: boolean;
  /** Infinity while something covers the window. */
  visibleSince: number;
  /** Another program has destroyed or reparented the window. */
  isLost: boolean;
  restoreTimer: NodeJS.Timeout | undefined;
}

/**
 * `onEvent` receives the events of the window, except those that another program has forged with `SendEvent`, and presses in windows
 * that it has replaced, until they are destroyed.
 */
export async function showAgentWindow(
  connection: X11Connection,
  shape: WindowShape,
  onEvent: (event: x11.Event) => void,
): Promise<AgentWindow> {
  const atoms = await typeAtoms(connection, shape.isManaged ?? false);
  const state: State = {
    connection,
    shape,
    atoms,
    box: { x: shape.x, y: shape.y, width: shape.width, height: shape.height },
    id: createWindow(connection, shape, atoms),
    former: new Set(),
    isShown: false,
    visibleSince: performance.now(),
    isLost: false,
    restoreTimer: undefined,
  };
  const open = questionsOn(connection);
  if (shape.isQuestion) open.add(state);
  if (!shape.isPlacedLater) show(state);
  const stopListening = connection.onEvent((event) => {
    if (!isForged(event) && (handle(state, event) || isOfFormer(state, event))) onEvent(event);
  });
  return {
    get id() {
      return state.id;
    },
    place: (box) => place(state, box),
    visibleMs: () => Math.max(0, performance.now() - state.visibleSince),
    close() {
      stopListening();
      clearTimeout(state.restoreTimer);
      open.delete(state);
      connection.client.DestroyWindow(state.id);
    },
  };
}

/** Whether the event is one of the window. */
function handle(state: State, event: x11.Event): boolean {
  if (event.wid !== state.id) return false;
  eventHandlers[event.name]?.(state, event as unknown as Record<string, number>);
  return true;
}

const eventHandlers: Record<string, (state: State, event: Record<string, number>) => void> = {
  VisibilityNotify(state, { state: visibility }) {
    state.visibleSince = visibility === unobscured ? performance.now() : Infinity;
    if (visibility !== unobscured) restoreSoon(state);
  },
  UnmapNotify: restoreSoon,
  // A window manager may move and frame the windows that it manages.
  ConfigureNotify(state, box) {
    if (!state.shape.isManaged && !isSameBox(box as unknown as Box, state.box)) restoreSoon(state);
  },
  ReparentNotify(state, { parent }) {
    state.isLost ||= !state.shape.isManaged && parent !== state.connection.root;
    if (state.isLost) restoreSoon(state);
  },
  DestroyNotify(state) {
    state.isLost = true;
    restoreSoon(state);
  },
};

function restoreSoon(state: State): void {
  state.restoreTimer ??= setTimeout(restore, restoreEveryMs, state);
}

function restore(state: State): void {
  state.restoreTimer = undefined;
  if (questionsAbove(state).length > 0) return restoreSoon(state);
  if (state.isLost) replace(state);
  if (!state.shape.isManaged) moveResize(state);
  show(state);
}

/**
 * GNOME ignores clicks outside of the size that a window has when it notices the window, if the size changes at that moment. So each size
 * gets a window of its own there.
 */
function place(state: State, box: Box): void {
  const { shape, box: before } = state;
  const isResized = box.width !== before.width || box.height !== before.height;
  state.box = box;
  if (state.isShown && isResized && shape.isUnderWayland && !shape.isManaged) return replace(state);
  moveResize(state);
  if (!state.isShown) show(state);
}

/** The new window is there before the old one is gone, so that the person always sees one. */
function replace(state: State): void {
  const { connection, shape, box, atoms, id, isLost } = state;
  if (!isLost) state.former.add(id);
  state.isLost = false;
  state.id = createWindow(connection, { ...shape, ...box }, atoms);
  show(state);
  connection.client.DestroyWindow(id);
}

/** A new window is above all others before it is seen, so the questions are raised first. */
function show(state: State): void {
  const { client } = state.connection;
  const above = questionsAbove(state);
  state.isShown = true;
  for (const { id } of above) client.RaiseWindow(id);
  client.MapWindow(state.id);
  if (above.length === 0) client.RaiseWindow(state.id);
}

const moveResize = ({ connection: { client }, id, box }: State): void =>
  client.MoveResizeWindow(id, box.x, box.y, box.width, box.height);

function questionsOn(connection: X11Connection): Set<State> {
  const open = questions.get(connection) ?? new Set();
  questions.set(connection, open);
  return open;
}

/** The open questions that the window must not cover. */
const questionsAbove = ({ connection, shape }: State): State[] =>
  shape.isQuestion ? [] : [...questionsOn(connection)];

/** Whether the event is a press in a window that was replaced meanwhile, or the end of that window. */
function isOfFormer({ former }: State, { name, wid = 0 }: x11.Event): boolean {
  if (name === 'DestroyNotify') return former.delete(wid);
  return name === 'ButtonPress' && former.has(wid);
}

/** `SendEvent` lets any program forge a button press in a window of another program. */
const isForged = ({ rawData }: x11.Event): boolean => ((rawData as Buffer)[0]! & 0x80) !== 0;

interface TypeAtoms {
  atom: number;
  kind: number;
  own: number;
}

function createWindow({ client, root }: X11Connection, shape: WindowShape, atoms: TypeAtoms): number {
  const { x, y, width, height, background, border, isManaged = false, title } = shape;
  const id = client.AllocID();
  client.CreateWindow(id, root, x, y, width, height, 1, 0, 0, 0, {
    backgroundPixel: background,
    borderPixel: border,
    overrideRedirect: !isManaged,
    eventMask: allEvents,
  });
  client.ChangeProperty(0, id, client.atoms['WM_NAME']!, client.atoms['STRING']!, 8, Buffer.from(title));
  client.ChangeProperty(0, id, atoms.kind, atoms.atom, 32, numberBytes(atoms.own));
  return id;
}

/** Sets the window type, because some compositors otherwise give keyboard focus to a mere notification. */
async function typeAtoms({ client, call }: X11Connection, isManaged: boolean): Promise<TypeAtoms> {
  const named = (name: string): Promise<number> =>
    call((done) => client.InternAtom(false, `_NET_WM_WINDOW_TYPE${name}`, done));
  const [kind, own] = await Promise.all([named(''), named(isManaged ? '_DIALOG' : '_NOTIFICATION')]);
  return { atom: client.atoms['ATOM']!, kind, own };
}

const numberBytes = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
