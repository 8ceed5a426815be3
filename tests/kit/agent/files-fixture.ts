/** The files feature of a session as an operator uses it, without the session: requests in, answers out. */
import { createHash } from 'node:crypto';
import { hashBlockBytes, type SessionMessage } from '@drawbridge/contract/session/messages';
import { openFiles } from '@drawbridge/agent/platform/linux/files/session-files';
import { filesFeature } from '@drawbridge/agent/session/features/files';
import { eventually } from '../eventually.ts';
import { createFakeFeatureContext } from './fake-feature-context.ts';

export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The hash that an operator can ask for: over the hashes of the blocks. */
export function blockHashHex(bytes: Uint8Array): string {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashBlockBytes)
    hash.update(sha256Hex(bytes.subarray(at, at + hashBlockBytes)), 'hex');
  return hash.digest('hex');
}

export type FilesFixture = ReturnType<typeof startFilesFixture>;

/** The folder that is open to operators. */
export function startFilesFixture(root: string) {
  const featureContext = createFakeFeatureContext({
    files: () => openFiles({ DRAWBRIDGE_AGENT_FILES: root }),
  });
  const part = filesFeature(featureContext);
  return {
    featureContext,
    part,
    ask: async (word: SessionMessage<'file'>) => part.handlers.file!(word),
    bytes: (id: number, at: number, data: Uint8Array) => void part.handlers.file_bytes!({ id, at, data }),
    answers: (id: number) => featureContext.messages('file_answer').filter((word) => word.id === id),
    answer: (id: number, is: SessionMessage<'file_answer'>['is']) =>
      eventually(
        async () => featureContext.messages('file_answer').find((word) => word.id === id && word.is === is),
        (word) => word !== undefined,
      ),
  };
}

/** Acknowledges what arrives until the file is complete, and returns it. */
export async function downloadFrom(one: FilesFixture, id: number): Promise<Buffer> {
  const pieces = () => one.featureContext.pieces('file_bytes').filter((piece) => piece.id === id);
  const acknowledging = setInterval(() => {
    const last = pieces().at(-1);
    if (last) void one.ask({ do: 'taken', id, bytes: last.at + last.data.length });
  }, 2);
  await one.answer(id, 'sent');
  clearInterval(acknowledging);
  return Buffer.concat(pieces().map(({ data }) => data));
}

/** Uploads a file as a console does, from the offset the device reports. */
export async function uploadTo(
  one: FilesFixture,
  id: number,
  { path, replace = false }: { path: string; replace?: boolean },
  content: Uint8Array,
): Promise<SessionMessage<'file_answer'> | undefined> {
  await one.ask({ do: 'put', id, path, size: content.length, replace });
  const [begun] = one.answers(id);
  if (begun?.is !== 'put') return begun;
  for (let at = begun.from; at < content.length; at += 65_536)
    one.bytes(id, at, content.subarray(at, at + 65_536));
  await one.ask({ do: 'finish', id, sha256: sha256Hex(content) });
  return one.answers(id).at(-1);
}
