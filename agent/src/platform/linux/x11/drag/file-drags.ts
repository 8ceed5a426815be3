/** Drags of files on an X11 display: notices when a program begins one, and offers a target for it. */
import type x11 from 'x11';
import type { UriDrags } from '../../drag/reachable-drags.ts';
import type { X11Connection } from '../connection.ts';
import { internAtoms } from '../intern-atoms.ts';
import { convertSelection } from './convert-selection.ts';
import { uint32sIn, xdndAtomNames, type XdndAtoms } from './xdnd-atoms.ts';

const anyOwner = 7;
const newOwner = 0;
const maxTypes = 256;

interface State {
  connection: X11Connection;
  atoms: XdndAtoms;
  /** Receives what programs say about their drags. */
  window: number;
  /** The program that drags something, and since when; it may keep the selection after the drag. */
  source: { owner: number; since: number } | undefined;
  onBegin(): void;
}

/** Prepares what windows that take drags need, and returns how one is opened. */
type PrepareDropWindow = (connection: X11Connection, atoms: XdndAtoms) => Promise<UriDrags['openTarget']>;

export async function openUriDrags(
  connection: X11Connection,
  prepareDropWindow: PrepareDropWindow,
): Promise<UriDrags> {
  const { client, root } = connection;
  const fixes = await connection.extension('fixes');
  const atoms = await internAtoms(connection, xdndAtomNames);
  const openTarget = await prepareDropWindow(connection, atoms);
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, {});
  fixes.SelectSelectionInput(window, atoms.XdndSelection, anyOwner);
  const state: State = { connection, atoms, window, source: undefined, onBegin: () => {} };
  const stopListening = connection.onEvent((event) => watchOwner(state, event));
  return {
    onBegin: (listener) => void (state.onBegin = listener),
    search: ({ pressedAt }) => ({
      found: hasFiles(state, pressedAt).catch(() => false),
      move() {},
      close() {},
    }),
    openTarget,
    close() {
      stopListening();
      client.DestroyWindow(window);
    },
  };
}

/** Programs take the selection when they begin a drag, again for each. */
function watchOwner(state: State, event: x11.Event): void {
  if (event.name !== 'SelectionNotify' || event['window'] !== state.window) return;
  const { owner, subtype } = event as unknown as { owner: number; subtype: number };
  state.source = owner !== 0 && subtype === newOwner ? { owner, since: performance.now() } : undefined;
  if (state.source) state.onBegin();
}

async function hasFiles(state: State, since: number): Promise<boolean> {
  const { source, atoms } = state;
  if (!source || source.since < since) return false;
  const types = (await typesOf(state)) ?? (await listedTypesOf(state, source.owner));
  return types.includes(atoms['text/uri-list']) && state.source === source;
}

async function typesOf({ connection, atoms, window }: State): Promise<number[] | undefined> {
  const data = await convertSelection(connection, {
    window,
    property: atoms.DRAWBRIDGE_DRAG,
    selection: atoms.XdndSelection,
    target: atoms.TARGETS,
    time: 0,
  });
  return data && uint32sIn(data);
}

/** Programs made with Qt do not tell the types of a drag as those of a selection, but list them on their window. */
const listedTypesOf = ({ connection, atoms }: State, owner: number): Promise<number[]> =>
  connection
    .call<{ data: Buffer }>((done: x11.Done<{ type: number; bytesAfter: number; data: Buffer }>) =>
      connection.client.GetProperty(0, owner, atoms.XdndTypeList, 0, 0, maxTypes, done),
    )
    .then(
      ({ data }) => uint32sIn(data),
      () => [],
    );
