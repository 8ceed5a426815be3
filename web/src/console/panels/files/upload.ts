/** Brings a file to the device piece by piece; what has arrived before a cut is not sent again. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ConnectionLost, DeviceRefused, type FileExchange, type FileExchanges } from './file-exchange.ts';

export interface FileUpload {
  path: string;
  content: Blob;
  /** Unix time of the last change. */
  time?: number;
  replace: boolean;
  onProgress(bytes: number): void;
}

const pieceLength = 128 * 1_024;
/** Bytes on their way that the device has not written yet. */
const maxInFlight = 4 * 1_024 * 1_024;

export async function uploadFile(
  exchanges: FileExchanges,
  file: FileUpload,
  signal: AbortSignal,
): Promise<void> {
  const state = { finishing: false };
  for (;;) {
    const exchange = exchanges.open();
    try {
      // A file that was complete when the connection was lost may have its name already.
      return await attempt(exchange, { ...file, replace: file.replace || state.finishing }, signal, state);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      await exchanges.whenLive();
    } finally {
      exchange.close();
    }
  }
}

async function attempt(
  exchange: FileExchange,
  file: FileUpload,
  signal: AbortSignal,
  state: { finishing: boolean },
): Promise<void> {
  const { path, content, time, replace } = file;
  exchange.send({ do: 'put', path, size: content.size, replace, ...(time !== undefined && { time }) });
  const begun = await exchange.receive();
  if (begun.is !== 'put') throw new DeviceRefused('The device gave an unexpected answer.');
  const hash = sha256.create();
  let taken = begun.from;
  file.onProgress(taken);
  /** Waits until the device has written so much that no more than this is under way. */
  const untilUnderWay = async (sent: number, most: number): Promise<void> => {
    while (sent - taken > most) {
      const reply = await exchange.receive();
      if (reply.is === 'taken') file.onProgress((taken = reply.bytes));
    }
  };
  for (let at = 0; at < content.size; at += pieceLength) {
    if (signal.aborted) {
      exchange.send({ do: 'stop' });
      signal.throwIfAborted();
    }
    const data = new Uint8Array(await content.slice(at, at + pieceLength).arrayBuffer());
    hash.update(data);
    const fresh = data.subarray(Math.max(0, Math.min(data.length, begun.from - at)));
    if (fresh.length > 0) await exchange.sendChunk(at + data.length - fresh.length, fresh);
    await untilUnderWay(at + data.length, maxInFlight);
  }
  await untilUnderWay(content.size, 0);
  state.finishing = true;
  exchange.send({ do: 'finish', sha256: bytesToHex(hash.digest()) });
  while ((await exchange.receive()).is !== 'done');
}
