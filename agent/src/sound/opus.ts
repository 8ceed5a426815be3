/** Encodes sound with the system's libopus. */
import { sound as format } from '@drawbridge/contract/session/sound';
import { findLibrary, loadKoffi } from '../platform/native.ts';

export interface OpusEncoder {
  /** Encodes the samples of one packet; 16 bits each, the channels in turn. */
  encode(samples: Uint8Array): Uint8Array;
  close(): void;
}

/** A number of opus_defines.h. By default such an encoder makes about 99 kbit/s. */
const forAudio = 2_049;

type Call = (...values: unknown[]) => unknown;

/** Resolves with undefined if the system has no libopus. */
export async function openOpusEncoder(): Promise<OpusEncoder | undefined> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libopus.so.0', 'libopus.so']);
  if (!library) return undefined;
  const create: Call = library.func(
    'void* opus_encoder_create(int rate, int channels, int use, void* error)',
  );
  const encode: Call = library.func(
    'int opus_encode(void* encoder, void* samples, int count, void* packet, int bytes)',
  );
  const destroy: Call = library.func('void opus_encoder_destroy(void* encoder)');
  const encoder = create(format.rate, format.channels, forAudio, null);
  return {
    encode(samples) {
      const packet = new Uint8Array(format.maxPacketBytes);
      const length = encode(encoder, samples, format.packetSamples, packet, packet.length) as number;
      if (length < 0) throw new Error(`libopus reported error ${length}`);
      return packet.subarray(0, length);
    },
    close: () => void destroy(encoder),
  };
}
