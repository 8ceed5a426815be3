/** What the agent asks of microphone and loudspeaker. Samples are as the contract says. */

export interface Voice {
  onData(listener: (samples: Uint8Array) => void): void;
  play(samples: Uint8Array): void;
  /** The system took the microphone or the loudspeaker away. */
  onEnd(listener: () => void): void;
  close(): void;
}
