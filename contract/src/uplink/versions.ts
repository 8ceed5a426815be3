/** The versions of the uplink, each with a fingerprint of its schemas: a change without a new entry fails a test. */
export const versions: readonly { version: number; date: string; fingerprint: string; says: string }[] = [
  {
    version: 1,
    date: '2026-11-15',
    fingerprint: '235be0c1a1c5b0ae',
    says: 'Enrolment, proof, facts, hardware, commands.',
  },
  {
    version: 2,
    date: '2026-11-16',
    fingerprint: '199d6d0793110f0c',
    says: 'The server starts and stops the recording of a session.',
  },
  {
    version: 3,
    date: '2026-11-17',
    fingerprint: '480207c384872551',
    says: 'The device receives its policy and enforces it, and learns that a session comes from a one-time link.',
  },
  {
    version: 4,
    date: '2026-11-17',
    fingerprint: '1c9b02b063d2f2c0',
    says: 'Agents update themselves and report how it proceeds.',
  },
  {
    version: 5,
    date: '2026-11-17',
    fingerprint: '5f2bbd2e4db2da55',
    says: 'The policy says whether operators can hear the sound of the device.',
  },
  {
    version: 6,
    date: '2026-11-17',
    fingerprint: 'f2b9a1847815d7fc',
    says: 'The policy says whether the screen is shown to operators of whom the person at the device cannot be told.',
  },
  {
    version: 7,
    date: '2026-11-17',
    fingerprint: '3c488edf842fbf58',
    says: 'Commands can belong to a trace; the device then says how long it took.',
  },
  {
    version: 8,
    date: '2026-11-18',
    fingerprint: 'd63f033884d43fe4',
    says: 'Devices measure their round trips to the relays that the server names. Those with four eyes list the sessions that wait for a second person, and receive the signed approval.',
  },
  {
    version: 9,
    date: '2026-11-18',
    fingerprint: 'c43e9b647bb36bd5',
    says: 'The policy says whether documents printed on the device can be sent to operators.',
  },
];

export const currentVersion = versions.at(-1)!.version;
/** The oldest version that is still supported. */
export const oldestVersion = 1;
