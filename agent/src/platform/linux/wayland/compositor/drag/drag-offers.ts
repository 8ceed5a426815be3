/** What programs drag over the agent's surfaces: each drag is an offer, which is read, accepted and taken when it is dropped. */
import { closeSync } from 'node:fs';
import type { Libc } from '../../libc.ts';
import { openPipe } from '../../libc.ts';
import { readTextPipe } from '../../text-pipe.ts';
import { newObject, type EventHandler } from '../../wire/connection.ts';
import type { CompositorContext } from '../context.ts';
import { dataDevice, dataOffer } from '../protocol.ts';

const fileListType = 'text/uri-list';

/** A drag over one of our surfaces. */
export interface DragOffer {
  hasFiles(): boolean;
  read(): Promise<string | undefined>;
  /** Says whether it can be dropped here, and that a drop copies. */
  answer(isAccepted: boolean): void;
  /** Whether the compositor knows that a drop copies. */
  isCopied(): boolean;
  /** Ends the drag after the drop. Returns whether the program lets its files be copied. */
  finish(): boolean;
}

/** What happens to the drags over one surface. */
export interface DragListener {
  onEnter(offer: DragOffer): void;
  onLeave(): void;
  onDrop(): void;
}

export interface DragOffers {
  watch(surface: number, listener: DragListener): () => void;
  close(): void;
}

interface State {
  context: CompositorContext;
  libc: Libc;
  listeners: Map<number, DragListener>;
  offers: Map<number, { hasFiles: boolean; action: number }>;
  /** Of the drag that is over one of our surfaces. */
  current: { offer: number; listener: DragListener | undefined; isDropped: boolean } | undefined;
}

export function watchDragOffers(context: CompositorContext, libc: Libc, manager: number): DragOffers {
  const { connection, seat } = context;
  const state: State = { context, libc, listeners: new Map(), offers: new Map(), current: undefined };
  const device = connection.create(manager, dataDevice.getDevice, [newObject, seat], handleDevice(state));
  return {
    watch(surface, listener) {
      state.listeners.set(surface, listener);
      return () => void state.listeners.delete(surface);
    },
    close() {
      for (const offer of state.offers.keys()) forget(state, offer);
      connection.destroy(device, dataDevice.release);
    },
  };
}

const handleDevice =
  (state: State): EventHandler =>
  (opcode, values) => {
    if (opcode === dataDevice.newOffer) addOffer(state, values.uint());
    else if (opcode === dataDevice.selection) forget(state, values.uint());
    else if (opcode === dataDevice.enter) {
      const [serial, surface, , , offer] = [
        values.uint(),
        values.uint(),
        values.fixed(),
        values.fixed(),
        values.uint(),
      ];
      enter(state, serial, surface, offer);
    } else if (opcode === dataDevice.leave) leave(state);
    else if (opcode === dataDevice.drop && state.current) {
      state.current.isDropped = true;
      state.current.listener?.onDrop();
    }
  };

function addOffer({ context, offers }: State, id: number): void {
  const offer = { hasFiles: false, action: dataOffer.noAction as number };
  offers.set(id, offer);
  context.connection.adopt(id, (opcode, values) => {
    if (opcode === dataOffer.type) offer.hasFiles ||= values.text() === fileListType;
    else if (opcode === dataOffer.action) offer.action = values.uint();
  });
}

function enter(state: State, serial: number, surface: number, offer: number): void {
  if (state.current) leave(state);
  if (!state.offers.has(offer)) return;
  const listener = state.listeners.get(surface);
  state.current = { offer, listener, isDropped: false };
  listener?.onEnter(createOffer(state, serial, offer));
}

/** After a drop the offer is still needed, until it is finished. */
function leave(state: State): void {
  const { current } = state;
  state.current = undefined;
  if (!current || current.isDropped) return;
  current.listener?.onLeave();
  forget(state, current.offer);
}

function forget({ context, offers }: State, offer: number): void {
  if (offers.delete(offer)) context.connection.destroy(offer, dataOffer.destroy);
}

function createOffer(state: State, serial: number, id: number): DragOffer {
  const { context, libc, offers } = state;
  const { connection } = context;
  const isThere = (): boolean => offers.has(id);
  const isCopied = (): boolean => offers.get(id)?.action === dataOffer.copyAction;
  return {
    hasFiles: () => offers.get(id)?.hasFiles === true,
    isCopied,
    async read() {
      if (!isThere()) return undefined;
      const { read, write } = openPipe(libc);
      connection.request(id, dataOffer.receive, [fileListType, { fd: write }]);
      closeSync(write);
      return readTextPipe(read);
    },
    answer(isAccepted) {
      if (!isThere()) return;
      const action = isAccepted ? dataOffer.copyAction : dataOffer.noAction;
      connection.request(id, dataOffer.accept, [serial, isAccepted ? fileListType : null]);
      connection.request(id, dataOffer.setActions, [action, action]);
    },
    finish() {
      const isTaken = isCopied();
      if (isTaken) connection.request(id, dataOffer.finish);
      forget(state, id);
      return isTaken;
    },
  };
}
