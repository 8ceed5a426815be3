/** An operator's pointer on a real desktop, and a program there from which files or a text can be dragged. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { controlFeature } from '@drawbridge/agent/session/features/control';
import { fileDragFeature } from '@drawbridge/agent/session/features/file-drag';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';
import type { DragSource } from '../../../kit/display/drag/drag-source.ts';
import { eventually } from '../../../kit/eventually.ts';

interface Point {
  x: number;
  y: number;
}

export interface DragDesk extends AsyncDisposable {
  folder: string;
  source: DragSource;
  context: ReturnType<typeof createFakeFeatureContext>;
  said(): SessionMessage<'file_drag'>[];
  /** Resolves when the device has said this. */
  until(is: SessionMessage<'file_drag'>['is']): Promise<unknown>;
  /** Presses the button in the program and moves until its drag has begun. */
  beginDrag(): Promise<void>;
  pointer(point: Point, buttons: number): Promise<void>;
  /** Begins a drag and leaves the picture at this point. */
  dragOut(edge: Point): Promise<void>;
  /** Drops outside of the picture, further down than the drag has left it. */
  dropBelow(edge: Point): Promise<void>;
  say(is: 'outside' | 'inside'): Promise<void>;
  endSession(): Promise<void>;
}

export interface DragDeskOptions {
  permissions?: readonly string[];
  /** What is dragged, in the folder with these files. */
  dragged?: (folder: string) => { what: 'files' | 'text'; content: readonly string[] };
  start(what: 'files' | 'text', content: readonly string[]): Promise<DragSource>;
  /** Resolves when the desktop has processed what the pointer did, which is at this point now. */
  settled(at: Point, buttons: number): Promise<unknown>;
}

const twoFiles = (folder: string) => ({
  what: 'files' as const,
  content: ['a b.txt', 'ä.bin'].map((name) => pathToFileURL(join(folder, name)).href),
});

/** Returns a new folder with two files and a folder. */
function writeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-dragged-'));
  writeFileSync(join(folder, 'a b.txt'), 'hello');
  writeFileSync(join(folder, 'ä.bin'), Buffer.alloc(70_000));
  mkdirSync(join(folder, 'sub'));
  return folder;
}

/** The desktop is the one that the agent in this process finds. */
export async function openDragDesk({
  permissions = ['agent_control', 'agent_file_transfer'],
  dragged = twoFiles,
  start,
  settled,
}: DragDeskOptions): Promise<DragDesk> {
  await using all = new AsyncDisposableStack();
  const folder = writeFiles();
  all.defer(() => rmSync(folder, { recursive: true }));
  const context = createFakeFeatureContext({ desktop: openDesktop, files: () => openFiles({}) });
  Object.assign(context, { permissions: new Set(permissions) });
  const [control, drag] = [controlFeature(context), fileDragFeature(context)];
  await drag.start!();
  const endSession = once(() => Promise.all([control.stop(), drag.stop()]));
  all.defer(endSession);
  const { what, content } = dragged(folder);
  const source = all.use(await start(what, content));
  const pointer = async ({ x, y }: Point, buttons: number): Promise<void> => {
    await control.handlers.pointer!({ x, y, buttons });
    await settled({ x, y }, buttons);
  };
  const said = (): SessionMessage<'file_drag'>[] => context.messages('file_drag');
  const say: DragDesk['say'] = async (is) => drag.handlers.file_drag!({ is });
  const owned = all.move();
  return {
    folder,
    source,
    context,
    said,
    until: (is) => eventually(said, (messages) => messages.some((each) => each.is === is)),
    pointer,
    say,
    endSession,
    ...gestures(source, pointer, say),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** However often it is called. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<unknown> | undefined;
  return async () => void (await (done ??= work()));
}

type Gestures = Pick<DragDesk, 'beginDrag' | 'dragOut' | 'dropBelow'>;

const gestures = (source: DragSource, pointer: DragDesk['pointer'], say: DragDesk['say']): Gestures => ({
  beginDrag: () => beginDrag(source, pointer),
  async dragOut(edge) {
    await beginDrag(source, pointer);
    await pointer(edge, 1);
    await say('outside');
  },
  async dropBelow({ x, y }) {
    for (const buttons of [1, 0]) await pointer({ x, y: y + 200 }, buttons);
  },
});

async function beginDrag({ at, output }: DragSource, pointer: DragDesk['pointer']): Promise<void> {
  await pointer(at, 0);
  // A new window may still be on its way to its place.
  await eventually(output, (text) => text.includes('enter'));
  let distance = 0;
  await eventually(
    async () => {
      await pointer({ x: at.x + (distance % 90), y: at.y }, 1);
      distance += 10;
      return output();
    },
    (text) => text.includes('begin'),
  );
}

/** What an operator is told of the two files. */
export const twoFilesDropped = ({ folder }: DragDesk): SessionMessage<'file_drag'>[] => [
  { is: 'ready', count: 2 },
  {
    is: 'dropped',
    files: [
      { folder, name: 'a b.txt', kind: 'file', size: 5 },
      { folder, name: 'ä.bin', kind: 'file', size: 70_000 },
    ],
  },
];
