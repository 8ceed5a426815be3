/** The interface of microphone and loudspeaker. The contract defines the sample format. */

export interface Voice {
  onData(listener: (samples: Uint8Array) => void): void;
  play(samples: Uint8Array): void;
  /** Called when the microphone or the loudspeaker is no longer available. */
  onEnd(listener: () => void): void;
  close(): void;
}
