/** A session that waits for a second person, and its signed approval, as a device and an approver would write them. */
import { encodeBody, withSignature } from '@drawbridge/contract/session/signed';

const statement = encodeBody('approval', {
  v: 1,
  agent: 1,
  name: 'Front desk',
  device_key: 'A'.repeat(43),
  session: 1,
  operator: 'alex@example.com',
  operator_key: 'A'.repeat(43),
  code: '1234 5678 9012',
  permissions: ['agent_connect'],
  record: false,
  reason: '',
  until: 1_800_014_400,
  nonce: 'A'.repeat(43),
});

export const waitingSession = { statement, expires: 1_800_000_600 };
export const signedExample = withSignature(statement, new Uint8Array(64));
