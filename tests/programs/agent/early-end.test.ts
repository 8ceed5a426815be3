/** A session that the server ends, or an agent that stops, while the grant of the session is still being read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgentSessions } from '@drawbridge/agent/session/agent-sessions';
import { createLazySessions } from '@drawbridge/agent/session/lazy-sessions';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

const implementations = {
  'the sessions': createAgentSessions,
  'the sessions that load with the first': createLazySessions,
} as const;

for (const [name, openSessions] of Object.entries(implementations)) {
  test(`a session that is ended at once does not begin in ${name}, and another one does`, async () => {
    await using fixture = await openSessionFixture({ platform: createFakePlatform(), openSessions });
    const { sessions } = fixture;

    const ended = sessions.open(fixture.invite({ session: 7 }).input);
    const other = sessions.open(fixture.invite({ session: 8 }).input);
    sessions.end(7, 'The permission was revoked.');

    await assert.rejects(ended, NotPossible);
    await other;
  });

  test(`no session begins after ${name} were stopped, until the next grant`, async () => {
    await using fixture = await openSessionFixture({ platform: createFakePlatform(), openSessions });
    const { sessions } = fixture;

    const opened = sessions.open(fixture.invite().input);
    const stopped = sessions.stop('The device was unlinked.');

    await assert.rejects(opened, NotPossible);
    await stopped;
    await sessions.open(fixture.invite().input);
  });
}
