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

export interface DragDesk extends AsyncDisposable {
  folder: string;
  source: DragSource;
  context: ReturnType<typeof createFakeFeatureContext>;
  said(): SessionMessage<'file_drag'>[];
  /** Resolves when the device has said this. */
  until(is: SessionMessage<'file_drag'>['is']): Promise<unknown>;
  /** Presses the button in the program and moves until its drag has begun. */
  beginDrag(): Promise<void>;
  pointer(point: { x: number; y: number }, buttons: number): Promise<void>;
  say(is: 'outside' | 'inside'): Promise<void>;
}

export interface DragDeskOptions {
  permissions?: readonly string[];
  /** What is dragged, in the folder with these files. */
  dragged?: (folder: string) => { what: 'files' | 'text'; content: readonly string[] };
  start(what: 'files' | 'text', content: readonly string[]): Promise<DragSource>;
  /** Resolves when the desktop has processed what the pointer did. */
  settled(): Promise<unknown>;
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
  all.defer(async () => void (await Promise.all([control.stop(), drag.stop()])));
  const { what, content } = dragged(folder);
  const source = all.use(await start(what, content));
  const pointer = async ({ x, y }: { x: number; y: number }, buttons: number): Promise<void> => {
    await control.handlers.pointer!({ x, y, buttons });
    await settled();
  };
  const said = (): SessionMessage<'file_drag'>[] => context.messages('file_drag');
  const owned = all.move();
  return {
    folder,
    source,
    context,
    said,
    until: (is) =>
      eventually(
        () => said().map((each) => each.is),
        (kinds) => kinds.includes(is),
      ),
    beginDrag: () => beginDrag(source, pointer),
    pointer,
    say: async (is) => drag.handlers.file_drag!({ is }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function beginDrag({ at, output }: DragSource, pointer: DragDesk['pointer']): Promise<void> {
  await pointer(at, 0);
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
