/** Files that the operator drags out of the picture: the device takes the drop, and offers the files for download. */
import { allowsDirection } from '@drawbridge/contract/policy';
import { maxDraggedFiles } from '@drawbridge/contract/session/features/file-drag';
import { encodeMessage, maxMessageBytes, type SessionMessage } from '@drawbridge/contract/session/messages';
import type { Desktop } from '../../platform/desktop.ts';
import type { DragSearch, DropTarget, FileDrags } from '../../platform/drag/file-drags.ts';
import { operatorPointerOf, type OperatorPointer } from '../operator-pointer.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { describeDragged } from './describe-dragged.ts';
import { keepDesktopPart, type DesktopPart } from './desktop-part.ts';

const texts = {
  notAllowed: 'The policy of this device does not allow downloads.',
  notReachable: 'Operators cannot reach these files.',
  tooMany: `More than ${maxDraggedFiles} files at once cannot be dragged out. Use the files panel.`,
  tooLong: 'The names of these files are too long. Use the files panel.',
};

/** How long the program on the device may take to drop what the operator let go of. */
const dropTimeoutMs = 3_000;

interface State {
  context: FeatureContext;
  pointer: OperatorPointer;
  /** Undefined if files cannot be dragged out of this desktop. */
  drags: DesktopPart<FileDrags | undefined>;
  /** When the button was pressed with which the pointer is outside of the picture. */
  outsidePressedAt: number | undefined;
  /** Grows whenever the pointer leaves the picture or returns, so that late answers are recognized. */
  crossings: number;
  search: DragSearch | undefined;
  target: DropTarget | undefined;
  dropTimer: NodeJS.Timeout | undefined;
  isOver: boolean;
}

export const fileDragFeature: FeatureFactory = (context) => {
  const pointer = operatorPointerOf(context);
  const state: State = {
    context,
    pointer,
    drags: keepDesktopPart(context, {
      failure: 'files cannot be dragged out',
      open: (desktop) => openDrags(state, desktop),
      onLost: () => endDrag(state),
    }),
    outsidePressedAt: undefined,
    crossings: 0,
    search: undefined,
    target: undefined,
    dropTimer: undefined,
    isOver: false,
  };
  return {
    handlers: {
      file_drag({ is }) {
        if (is !== 'outside' && is !== 'inside') return;
        state.outsidePressedAt = is === 'outside' ? pointer.pressedAt : undefined;
        return takeDrag(state);
      },
    },
    // Programs tell only those that listen when they begin a drag.
    start: async () => void (await openedDrags(state)),
    policyChanged() {
      if (!state.target || isAllowed(context)) return;
      endDrag(state);
      send(context, { is: 'unable', message: texts.notAllowed });
    },
    async stop() {
      state.isOver = true;
      endDrag(state);
      await state.drags.close();
    },
  };
};

const isAllowed = ({ policy }: FeatureContext): boolean => allowsDirection(policy.files, 'from_device');

const send = (context: FeatureContext, message: SessionMessage<'file_drag'>): void =>
  context.send('file_drag', message);

/** A display that cannot be opened is reported with the picture, so nothing is said here. */
const openedDrags = async ({ context, drags }: State): Promise<FileDrags | undefined> =>
  context.permissions.has('agent_control') ? drags.opened().catch(() => undefined) : undefined;

async function openDrags(state: State, desktop: Desktop): Promise<FileDrags | undefined> {
  const drags = await desktop.fileDrags?.();
  // Some programs begin the drag only after the pointer has left the picture.
  drags?.onBegin(() => void takeDrag(state));
  return drags;
}

/** Files that are dragged outside of the picture. Nothing happens with another drag, and with one inside of it. */
async function takeDrag(state: State): Promise<void> {
  const { context, pointer } = state;
  endDrag(state);
  const { crossings } = state;
  const drags = await openedDrags(state);
  if (!drags || crossings !== state.crossings || !isOutside(state)) return;
  const search = (state.search = drags.search(pointer));
  pointer.onChange = () => (isOutside(state) ? search.move(pointer.x, pointer.y) : endDrag(state));
  const isFound = await search.found;
  if (state.search !== search) return;
  endDrag(state);
  if (!isFound) return;
  if (isAllowed(context)) openTarget(state, drags);
  else send(context, { is: 'unable', message: texts.notAllowed });
}

const isOutside = ({ pointer, outsidePressedAt, isOver }: State): boolean =>
  !isOver && pointer.buttons !== 0 && outsidePressedAt === pointer.pressedAt;

function openTarget(state: State, drags: FileDrags): void {
  const { context, pointer } = state;
  let dragged: readonly string[] | undefined;
  state.target = drags.openTarget(pointer, {
    onFiles(paths) {
      const message = whyUnable(paths);
      if (message === undefined) dragged = paths;
      else send(context, { is: 'unable', message });
      return message === undefined;
    },
    onAccepted() {
      if (dragged) send(context, { is: 'ready', count: dragged.length });
    },
    onDrop() {
      endDrag(state);
      if (dragged) void offer(context, dragged);
    },
  });
  pointer.onChange = () => {
    if (isOutside(state)) return state.target?.move(pointer.x, pointer.y);
    // The next press is another drag.
    if (pointer.buttons !== 0) return endDrag(state);
    state.dropTimer ??= setTimeout(() => {
      endDrag(state);
      send(context, { is: 'ended' });
    }, dropTimeoutMs);
  };
}

function whyUnable({ length }: readonly string[]): string | undefined {
  if (length === 0) return texts.notReachable;
  return length > maxDraggedFiles ? texts.tooMany : undefined;
}

/** Ends what was opened for the drag; the drag itself goes on. */
function endDrag(state: State): void {
  state.crossings += 1;
  clearTimeout(state.dropTimer);
  state.dropTimer = undefined;
  state.pointer.onChange = undefined;
  state.search?.close();
  state.target?.close();
  state.search = undefined;
  state.target = undefined;
}

async function offer(context: FeatureContext, paths: readonly string[]): Promise<void> {
  const files = await context.platform.files().then(
    (opened) => describeDragged(opened, paths),
    () => [],
  );
  const message = { is: 'dropped' as const, files };
  const isTooLong = encodeMessage('file_drag', message).length > maxMessageBytes('file_drag');
  if (files.length === 0) send(context, { is: 'unable', message: texts.notReachable });
  else if (isTooLong) send(context, { is: 'unable', message: texts.tooLong });
  else send(context, message);
}
