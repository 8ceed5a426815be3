/** Drags of files on an X11 display: notices when a program begins one, and offers a target for it. */
import type x11 from 'x11';
import type { DragSearch } from '../../../drag/file-drags.ts';
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
    search: ({ pressedAt }) => search(state, pressedAt),
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

function search(state: State, since: number): DragSearch {
  let isClosed = false;
  return {
    found: hasFiles(state, since, () => isClosed).catch(() => false),
    move() {},
    close: () => void (isClosed = true),
  };
}

/** A program that is busy is asked until it answers, or drags no longer. */
async function hasFiles(state: State, since: number, isClosed: () => boolean): Promise<boolean> {
  const { source, atoms } = state;
  if (!source || source.since < since) return false;
  const isWanted = (): boolean => state.source === source && !isClosed();
  let types: number[] | 'no answer' = 'no answer';
  while (types === 'no answer' && isWanted()) types = await typesOf(state, source.owner);
  return types !== 'no answer' && types.includes(atoms['text/uri-list']) && isWanted();
}

async function typesOf(state: State, owner: number): Promise<number[] | 'no answer'> {
  const { connection, atoms, window } = state;
  const data = await convertSelection(connection, {
    window,
    property: atoms.DRAWBRIDGE_DRAG,
    selection: atoms.XdndSelection,
    target: atoms.TARGETS,
    time: 0,
  });
  if (typeof data !== 'string') return uint32sIn(data);
  const listed = await listedTypesOf(state, owner);
  return listed.length === 0 && data === 'no answer' ? data : listed;
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
