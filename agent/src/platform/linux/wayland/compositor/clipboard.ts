/** The clipboard of a compositor: reads it when another program takes it over, and owns it while it holds remote text. */
import { closeSync } from 'node:fs';
import type { Clipboard } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import { longestText } from '../../x11/selection-atoms.ts';
import { loadLibc, openPipe, type Libc } from '../libc.ts';
import { readTextPipe, writeTextPipe } from '../text-pipe.ts';
import { newObject } from '../wire/connection.ts';
import type { CompositorContext } from './context.ts';
import { dataControl, dataControlKinds } from './protocol.ts';

/** The names of text, the best first. */
const textTypes = ['text/plain;charset=utf-8', 'UTF8_STRING', 'text/plain', 'STRING', 'TEXT'];

interface State {
  context: CompositorContext;
  libc: Libc;
  manager: number;
  device: number;
  /** The types of each offer. */
  offers: Map<number, string[]>;
  /** The text that both sides have; it is not sent again, because that would cause an endless loop. */
  current: string | undefined;
  listeners: Set<(text: string) => void>;
}

export async function openCompositorClipboard(context: CompositorContext): Promise<Clipboard> {
  const [wlroots, standard] = dataControlKinds;
  const manager = context.bind(wlroots!, 1) ?? context.bind(standard!, 1);
  if (!manager) throw new NotPossible('The compositor of the device does not share its clipboard.');
  const { connection } = context;
  const state: State = {
    context,
    libc: await loadLibc(),
    manager,
    device: 0,
    offers: new Map(),
    current: undefined,
    listeners: new Set(),
  };
  state.device = connection.create(
    manager,
    dataControl.getDevice,
    [newObject, context.seat],
    (opcode, values) => {
      if (opcode === dataControl.newOffer) addOffer(state, values.uint());
      else if (opcode === dataControl.selection) void readOffer(state, values.uint());
    },
  );
  return {
    onChange: (listener) => void state.listeners.add(listener),
    write: (text) => write(state, text),
    close() {
      state.listeners.clear();
      connection.destroy(state.device, dataControl.destroyDevice);
    },
  };
}

function addOffer({ context, offers }: State, offer: number): void {
  const types: string[] = [];
  offers.set(offer, types);
  context.connection.adopt(offer, (_, values) => void types.push(values.text()));
}

async function readOffer(state: State, offer: number): Promise<void> {
  const { context, libc, offers, listeners } = state;
  const type = textTypes.find((each) => offers.get(offer)?.includes(each));
  const text = type === undefined ? undefined : await receive(context, libc, offer, type);
  // Offers that were replaced end too.
  for (const each of offers.keys())
    if (each <= offer) {
      context.connection.destroy(each, dataControl.destroyOffer);
      offers.delete(each);
    }
  if (text === undefined || text === state.current) return;
  state.current = text;
  for (const listener of listeners) listener(text);
}

function receive(
  { connection }: CompositorContext,
  libc: Libc,
  offer: number,
  type: string,
): Promise<string | undefined> {
  const { read, write: writeEnd } = openPipe(libc);
  connection.request(offer, dataControl.receive, [type, { fd: writeEnd }]);
  closeSync(writeEnd);
  return readTextPipe(read);
}

function write(state: State, text: string): void {
  const { context, manager, device } = state;
  if (text === state.current || Buffer.byteLength(text) > longestText) return;
  state.current = text;
  const { connection } = context;
  const source = connection.create(manager, dataControl.createSource, [newObject], (opcode, values) => {
    if (opcode === dataControl.send) {
      values.text();
      void writeTextPipe(values.fd(), text);
    } else if (opcode === dataControl.cancelled) connection.destroy(source, dataControl.destroySource);
  });
  for (const type of textTypes) connection.request(source, dataControl.offer, [type]);
  connection.request(device, dataControl.setSelection, [source]);
}
