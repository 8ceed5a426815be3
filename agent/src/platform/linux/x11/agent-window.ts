/** A window of the agent's own that stays: above all others and in its place again, whatever other programs do to it. */
import type x11 from 'x11';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { X11Connection } from './connection.ts';

export interface WindowShape extends Box {
  /** What programs that list windows call it. */
  title: string;
  background: number;
  border: number;
  /** Somebody types into it, and a compositor of Wayland gives the keyboard to none but its own windows. */
  isManaged?: boolean | undefined;
  /** The person has to answer it: no other window of the agent is raised above it. */
  isQuestion?: boolean;
}

export interface AgentWindow {
  /** Another one after a program has destroyed it. */
  readonly id: number;
  place(box: Box): void;
  /** Milliseconds since all of it can be seen; 0 while something covers it. */
  visibleMs(): number;
  close(): void;
}

/** Two programs that both want to be on top must not keep the display busy. */
const restoreEveryMs = 500;
const events = { keyPress: 1, buttonPress: 4, exposure: 0x8000, visibility: 0x1_0000, structure: 0x2_0000 };
const allEvents = Object.values(events).reduce((mask, event) => mask | event);
const unobscured = 0;

/** How many questions are open on each display. */
const questions = new WeakMap<X11Connection, number>();

/** `onEvent`: events of the window. Those that a program has only sent, and no key or button has caused, are left out. */
export async function showAgentWindow(
  connection: X11Connection,
  shape: WindowShape,
  onEvent: (event: x11.Event) => void,
): Promise<AgentWindow> {
  const { client, root } = connection;
  const { isManaged = false, isQuestion = false } = shape;
  const atoms = await typeAtoms(connection, isManaged);
  const create = (): number => createWindow(connection, { ...shape, ...box }, atoms);
  const count = (more: number): void =>
    void (isQuestion && questions.set(connection, (questions.get(connection) ?? 0) + more));
  let box: Box = { x: shape.x, y: shape.y, width: shape.width, height: shape.height };
  let [id, visibleSince, isLost] = [create(), performance.now(), false];
  let restoring: NodeJS.Timeout | undefined;
  count(1);

  const restore = (): void => {
    restoring = undefined;
    if (!isQuestion && (questions.get(connection) ?? 0) > 0) return restoreSoon();
    if (isLost) client.DestroyWindow(id);
    if (isLost) id = create();
    isLost = false;
    client.MapWindow(id);
    if (!isManaged) client.MoveResizeWindow(id, box.x, box.y, box.width, box.height);
    client.RaiseWindow(id);
  };
  const restoreSoon = (): void => void (restoring ??= setTimeout(restore, restoreEveryMs));
  const restoreIf = (isWrong: boolean): void => void (isWrong && restoreSoon());
  const watch: Record<string, (event: Record<string, number>) => void> = {
    VisibilityNotify({ state }) {
      visibleSince = state === unobscured ? performance.now() : Infinity;
      restoreIf(state !== unobscured);
    },
    UnmapNotify: restoreSoon,
    // A window manager may place and frame what it manages.
    ConfigureNotify: (at) => restoreIf(!isManaged && !isSame(at as unknown as Box, box)),
    ReparentNotify: ({ parent }) => restoreIf((isLost ||= !isManaged && parent !== root)),
    DestroyNotify: () => restoreIf((isLost = true)),
  };
  const stopListening = connection.onEvent((event) => {
    if (event.wid !== id || isSent(event)) return;
    watch[event.name]?.(event as unknown as Record<string, number>);
    onEvent(event);
  });
  return {
    get id() {
      return id;
    },
    place(to) {
      box = to;
      client.MoveResizeWindow(id, to.x, to.y, to.width, to.height);
    },
    visibleMs: () => Math.max(0, performance.now() - visibleSince),
    close() {
      stopListening();
      clearTimeout(restoring);
      count(-1);
      client.DestroyWindow(id);
    },
  };
}

/** By `SendEvent`, which lets any program make up a press of a button in a window of another. */
const isSent = ({ rawData }: x11.Event): boolean => ((rawData as Buffer)[0]! & 0x80) !== 0;

const isSame = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

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
  client.MapWindow(id);
  client.RaiseWindow(id);
  return id;
}

/** Without a word about what it is, some compositors give the keyboard to a window that only says something. */
async function typeAtoms({ client, call }: X11Connection, isManaged: boolean): Promise<TypeAtoms> {
  const named = (name: string): Promise<number> =>
    call((done) => client.InternAtom(false, `_NET_WM_WINDOW_TYPE${name}`, done));
  const [kind, own] = await Promise.all([named(''), named(isManaged ? '_DIALOG' : '_NOTIFICATION')]);
  return { atom: client.atoms['ATOM']!, kind, own };
}

const numberBytes = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
