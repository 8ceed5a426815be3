/** An open file as Node uses it, made from a handle of Windows. */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import type { UploadHandle } from '../../uploads/upload-folder.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';

const [read, writev, fstat, ftruncate, futimes, fsync, close] = [
  promisify(fs.read),
  promisify(fs.writev),
  promisify(fs.fstat),
  promisify(fs.ftruncate),
  promisify(fs.futimes),
  promisify(fs.fsync),
  promisify(fs.close),
];

export interface OpenFile extends UploadHandle {
  /** Valid until the file is closed. */
  handle: Handle;
  stat(): Promise<fs.Stats>;
  utimes(time: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The handle then belongs to the file. */
export function toOpenFile(api: WindowsApi, handle: Handle): OpenFile {
  const descriptor = api.uv_open_osfhandle(handle);
  const closeFile = (): Promise<void> => close(descriptor);
  return {
    handle,
    read: ((...values: [Buffer, number, number, number]) =>
      read(descriptor, ...values)) as unknown as OpenFile['read'],
    writev: ((buffers: Uint8Array[], position: number) =>
      writev(descriptor, buffers, position)) as unknown as OpenFile['writev'],
    truncate: (length) => ftruncate(descriptor, length),
    stat: () => fstat(descriptor),
    utimes: (time) => futimes(descriptor, time, time),
    sync: () => fsync(descriptor),
    close: closeFile,
    [Symbol.asyncDispose]: closeFile,
  };
}
