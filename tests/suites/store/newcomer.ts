/** A device that enrols in an account, in the suites of the store. */
import { random } from '@drawbridge/server/edges/random';
import type { ChangeInput } from '@drawbridge/server/store/changes';
import { arrival, unique } from './fixture.ts';

export const newcomer = (token: string): ChangeInput<'enroll/join'> => ({
  token,
  publicKey: unique(),
  deviceIds: Array.from({ length: 5 }, () => Number(random.digits(9))),
  secret: random.token(),
  ...arrival,
});
