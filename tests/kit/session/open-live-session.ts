/** Connects to a device as a console does, and waits until the session is live. */
import type { OpenReply } from '@drawbridge/contract/session/open';
import { createKeyPair } from '@drawbridge/session/node/crypto';
import type { TestPerson } from '../server/account.ts';
import type { TestService } from '../server/service.ts';
import { connectOperator, type Operator } from './operator.ts';
import { linkCode, postToSession } from './session-ends.ts';

export async function openLiveSession(
  service: TestService,
  person: TestPerson,
  id: number,
): Promise<Operator> {
  const sessionKey = createKeyPair();
  const { url } = (await person.call('agents/connect', { agent_id: id })).body['data'];
  const answer = await postToSession(service, 'open', { code: linkCode(url), key: sessionKey.publicKey });
  const opened = JSON.parse(answer.text) as OpenReply;
  const operator = connectOperator({
    ...opened,
    serverKey: opened.server_key,
    deviceKey: opened.device.key!,
    sessionKey,
  });
  await operator.until('state', ({ phase }) => phase === 'live');
  return operator;
}
