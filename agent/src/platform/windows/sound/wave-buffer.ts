/** Records of the wave functions of Windows: the format of samples, and buffers with samples. */
import { voice as format } from '@drawbridge/contract/session/voice';
import type { WindowsApi } from '../api/windows-api.ts';

/** A WAVEFORMATEX: 16-bit samples of one channel. */
export function waveFormat(): Buffer {
  const bytes = Buffer.alloc(18);
  const [pulseCode, channels, sampleBytes] = [1, 1, 2];
  bytes.writeUInt16LE(pulseCode, 0);
  bytes.writeUInt16LE(channels, 2);
  bytes.writeUInt32LE(format.rate, 4);
  bytes.writeUInt32LE(format.rate * sampleBytes, 8);
  bytes.writeUInt16LE(sampleBytes, 12);
  bytes.writeUInt16LE(8 * sampleBytes, 14);
  return bytes;
}

/** Offsets in WAVEHDR. */
export const header = { bytes: 48, data: 0, length: 8, recorded: 12, flags: 24 } as const;
const isDoneFlag = 1;

/** A buffer that Windows fills or plays, with its WAVEHDR. */
export interface WaveBuffer {
  header: Buffer;
  data: Buffer;
}

export function createWaveBuffer(api: WindowsApi, bytes: number): WaveBuffer {
  const [record, data] = [Buffer.alloc(header.bytes), Buffer.alloc(bytes)];
  record.writeBigUInt64LE(api.koffi.address(data), header.data);
  record.writeUInt32LE(bytes, header.length);
  return { header: record, data };
}

/** Whether Windows has finished with the buffer. */
export const isFinished = ({ header: record }: WaveBuffer): boolean =>
  (record.readUInt32LE(header.flags) & isDoneFlag) !== 0;
