/** The versions of the session protocol, each with a fingerprint of what both sides agree on: a change without a new entry fails a test. */
export const sessionVersions: readonly {
  version: number;
  date: string;
  fingerprint: string;
  says: string;
}[] = [
  {
    version: 1,
    date: '2026-11-15',
    fingerprint: 'dfa2ba5a7b32a3d4',
    says: 'Handshake, screen, input, clipboard, terminal, files, chat, voice, lock, reboot, software.',
  },
  {
    version: 2,
    date: '2026-11-16',
    fingerprint: '3e95cc7e5c4b62e8',
    says: 'Both sides tell their version and capabilities, and skip kinds of frames that they do not know.',
  },
  {
    version: 3,
    date: '2026-11-16',
    fingerprint: '257866d9291648a2',
    says: 'The layout tells the size that the screen had before operators changed it.',
  },
  {
    version: 4,
    date: '2026-11-16',
    fingerprint: '3fa6f2ef2a3f1891',
    says: 'Files can be verified by a hash over the hashes of their blocks.',
  },
  {
    version: 5,
    date: '2026-11-16',
    fingerprint: 'd120d54bf66756fb',
    says: 'The operator can ask for video of half the size while a film runs.',
  },
  {
    version: 6,
    date: '2026-11-17',
    fingerprint: '0bd5cb3b8dc6fa70',
    says: 'The operator can ask for H.264, and each frame of video says whether it is VP8 or H.264.',
  },
  {
    version: 7,
    date: '2026-11-17',
    fingerprint: '852bc136177b7536',
    says: 'The operator can ask for the sound of the device. Tickets can name the node that holds the session.',
  },
  {
    version: 8,
    date: '2026-11-17',
    fingerprint: '42f321055cd07111',
    says: 'The grant can say why the operator was given access for a while.',
  },
  {
    version: 9,
    date: '2026-11-18',
    fingerprint: '5dc967ba77b4c498',
    says: 'A second person can sign what a session may do. The operator who was approved can return after an interruption.',
  },
  {
    version: 10,
    date: '2026-11-18',
    fingerprint: '58084f9669fe011a',
    says: 'The operator can ask for a printer on the device, whose documents are sent to the operator.',
  },
  {
    version: 11,
    date: '2026-11-18',
    fingerprint: '14b1e6352c7ca8ea',
    says: 'The operator can drag files out of the picture, which the device then offers for download.',
  },
];

export const currentSessionVersion = sessionVersions.at(-1)!.version;

/** What a side can do beyond the frames of its version; told in `confirm` and `state`. */
export const sessionCapabilities = ['skips_unknown_kinds'] as const;
