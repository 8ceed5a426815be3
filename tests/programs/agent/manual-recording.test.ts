/** A recording that the operator starts during a session: what the person at the device is asked and both sides learn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionPermissions } from '@drawbridge/contract/session/frame-kinds';
import { chunkBytes } from '@drawbridge/contract/session/recording';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import type { FeatureFactory } from '@drawbridge/agent/session/feature';
import { createRecordingKeys } from '@drawbridge/server/sessions/recording-keys';
import { createFakePlatform } from '../../kit/agent/fake-platform.ts';
import { eventually } from '../../kit/eventually.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { openSessionFixture } from '../../kit/session/session-fixture.ts';

interface Person {
  questions: string[];
  /** Answers the questions that are asked from now on. */
  answer: (question: string) => boolean | Promise<boolean>;
  banners: string[];
}

/** A device whose person agrees to everything but what the test decides. */
async function fixtureWith(person: Person, stop = async (): Promise<void> => {}) {
  const desktop: Partial<Desktop> = {
    onClose: () => {},
    ask: async (question) => (person.questions.push(question), person.answer(question)),
    async banner(text) {
      person.banners.push(text);
      return {
        onStop: () => {},
        setText: (next) => void person.banners.push(next),
        close: () => void person.banners.push(''),
      };
    },
    close: () => {},
  };
  // A recording asks for the whole picture, which fills a chunk here.
  const screen: FeatureFactory = ({ sendEncoded }) => ({
    handlers: { view: () => sendEncoded('tiles', new Uint8Array(chunkBytes)) },
    stop,
  });
  const platform = createFakePlatform('desk', { desktop: async () => desktop as Desktop });
  const fixture = await openSessionFixture({ platform, parts: [screen] });
  const record = { url: fixture.recordings.url, token: 'token', key: createRecordingKeys().publicKey };
  return Object.assign(fixture, { record });
}

const createPerson = (answer: Person['answer'] = () => true): Person => ({
  questions: [],
  answer,
  banners: [],
});

const untilLive = (operator: Operator) => operator.until('state', ({ phase }) => phase === 'live');
const untilRecorded = (operator: Operator) => operator.until('state', ({ recording }) => recording);
const untilNotRecorded = (operator: Operator) =>
  eventually(
    async () => operator.messages('state').at(-1)!,
    ({ recording }) => !recording,
  );
const isRecordedBanner = (text: string): boolean => text.includes('this session is recorded');

test('a person who had to agree to the session is asked again, and a refusal is no recording', async () => {
  const person = createPerson((question) => !question.includes('record'));
  await using fixture = await fixtureWith(person);
  await using ann = fixture.meet({ confirm: true, name: 'Ann', session: 7 });
  await untilLive(ann);

  await fixture.sessions.record({ session: 7, record: fixture.record });
  const { message } = await ann.until('refused');

  assert.match(message, /did not agree to a recording/);
  assert.deepEqual(person.questions.slice(1), ['Ann wants to record this session']);
  person.answer = () => true;
  await fixture.sessions.record({ session: 7, record: fixture.record });
  await untilRecorded(ann);
  assert.ok(isRecordedBanner(person.banners.at(-1)!));
});

test('the person is asked once, however often the operator presses the button', async () => {
  const answered = Promise.withResolvers<boolean>();
  const person = createPerson((question) => (question.includes('record') ? answered.promise : true));
  await using fixture = await fixtureWith(person);
  const { sessions, record } = fixture;
  await using ann = fixture.meet({ confirm: true, session: 7 });
  await untilLive(ann);

  await sessions.record({ session: 7, record });
  await assert.rejects(sessions.record({ session: 7, record }), /requested already/);
  answered.resolve(true);
  await untilRecorded(ann);
  await assert.rejects(sessions.record({ session: 7, record }), /requested already/);

  assert.equal(person.questions.length, 2);
  await sessions.record({ session: 7 });
  await untilNotRecorded(ann);
  assert.ok(!isRecordedBanner(person.banners.at(-1)!));
  await sessions.record({ session: 7, record });
  await eventually(
    () => person.questions.length,
    (count) => count === 3,
  );
});

test('nothing is recorded after the operator has left, even if the person agrees then', async () => {
  const answered = Promise.withResolvers<boolean>();
  const person = createPerson((question) => (question.includes('record') ? answered.promise : true));
  await using fixture = await fixtureWith(person);
  const { sessions, record, recordings } = fixture;
  const ann = fixture.meet({ confirm: true, name: 'Ann', session: 7 });
  await untilLive(ann);

  await sessions.record({ session: 7, record: { ...record, url: `${record.url}/late` } });
  ann.leave();
  await ann.gone;
  await eventually(
    () => fixture.lines.some((line) => /session 7: ended/.test(line)),
    (isEnded) => isEnded,
  );
  answered.resolve(true);
  // What another operator records now would come after it.
  await using bea = fixture.meet({ name: 'Bea', session: 8 });
  await untilLive(bea);
  await sessions.record({ session: 8, record });
  await eventually(
    () => recordings.uploads.length,
    (count) => count > 0,
  );

  assert.ok(!recordings.uploads.some((path) => path.includes('late')));
  assert.ok(!person.banners.some((text) => /Ann .*this session is recorded/.test(text)));
});

test('a recording continues on the new connection while the earlier one is still closing', async () => {
  const released = Promise.withResolvers<void>();
  const person = createPerson();
  await using fixture = await fixtureWith(person, () => released.promise);
  using _release = { [Symbol.dispose]: () => released.resolve() };
  const { sessions, record } = fixture;
  await using before = fixture.meet({ session: 7 });
  await untilLive(before);
  await using ann = fixture.meet({ session: 7 });
  await untilLive(ann);

  await sessions.record({ session: 7, record });

  await untilRecorded(ann);
});

test('a recording that fails is told to the operator, and the session goes on without it', async () => {
  const person = createPerson();
  await using fixture = await fixtureWith(person);
  const { sessions, record } = fixture;
  await using ann = fixture.meet({ session: 7 });
  await untilLive(ann);

  await sessions.record({ session: 7, record: { ...record, url: 'http://not-encrypted.example' } });
  await untilRecorded(ann);
  const { message } = await ann.until('refused');
  await untilNotRecorded(ann);
  await sessions.record({ session: 7, record });
  await eventually(
    () => fixture.recordings.uploads.length,
    (count) => count > 0,
  );

  assert.match(message, /^The recording was stopped: .*"http:" not supported/);
  assert.deepEqual(ann.messages('end'), []);
});

test('a recording that is required cannot be stopped, and a session without the screen has none', async () => {
  await using fixture = await fixtureWith(createPerson());
  const { sessions, record } = fixture;
  await using ann = fixture.meet({ session: 7, grant: { record } });
  const permissions = sessionPermissions.filter((each) => each !== 'agent_connect');
  await using bea = fixture.meet({ session: 8, permissions });
  await Promise.all([untilLive(ann), untilLive(bea)]);

  await assert.rejects(sessions.record({ session: 7 }), /must be recorded/);
  await assert.rejects(sessions.record({ session: 8, record }), /does not show the screen/);
  await assert.rejects(sessions.record({ session: 9, record }), /over/);
});
