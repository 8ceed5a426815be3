/** Memory for pixels that the agent and its helper share, so that no picture is copied between them. */
import { NotPossible } from '../../platform.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';

export interface FrameMapping {
  /** One word for each pixel. */
  words: Uint32Array;
  /** After this the words must not be accessed, because the memory is unmapped. */
  close(): void;
}

const inPageFile = -1;
const readAndWrite = 4;
const access = 2 | 4;

/** Only the user of the agent can open it by its name. */
export const createFrameMapping = (api: WindowsApi, name: string, length: number): FrameMapping =>
  mapFrames(api, api.CreateFileMappingW(inPageFile, null, readAndWrite, 0, length * 4, name), length);

export const openFrameMapping = (api: WindowsApi, name: string, length: number): FrameMapping =>
  mapFrames(api, api.OpenFileMappingW(access, 0, name), length);

/** The handle stays open, because the name is gone with the last one. */
function mapFrames(api: WindowsApi, handle: Handle, length: number): FrameMapping {
  const address = Number(handle) === 0 ? 0 : api.MapViewOfFile(handle, access, 0, 0, length * 4);
  if (Number(address) === 0) {
    if (Number(handle) !== 0) api.CloseHandle(handle);
    throw new NotPossible('Windows has no memory for a picture of its login screen or question.');
  }
  const { buffer, byteOffset } = api.memory(address, length * 4);
  return {
    words: new Uint32Array(buffer, byteOffset, length),
    close() {
      api.UnmapViewOfFile(address);
      api.CloseHandle(handle);
    },
  };
}
