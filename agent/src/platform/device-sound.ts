/** The interface of the sound that the device plays. The contract defines the rate and the channels; samples have 16 bits. */

export interface DeviceSound {
  onData(listener: (samples: Uint8Array) => void): void;
  /** Called when the sound is no longer available. */
  onEnd(listener: () => void): void;
  close(): void;
}
