/** Who controls mouse and keyboard while several operators are connected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParticipants, type Seat } from './participants.ts';

test('who does not hold mouse and keyboard is refused, who takes them is not, and the others let go', () => {
  const participants = createParticipants();
  const rested: string[] = [];
  const told: Record<string, boolean[]> = {};
  const join = (name: string, mayDrive = true): Seat =>
    participants.join({
      name,
      mayDrive,
      tell: ({ people }) => void (told[name] = people.map(({ driver }) => driver)),
      releaseInput: () => void rested.push(name),
    });
  const [ann, bob, eve] = [join('ann'), join('bob'), join('eve', false)];

  const free = [ann.whyNotDriving(), bob.whyNotDriving()];
  ann.drive('me');
  const held = [ann.whyNotDriving(), bob.whyNotDriving()];
  const stolen = bob.drive(eve.number);
  const unfit = [ann.drive(eve.number), eve.drive('me'), ann.drive(99)].map((why) => typeof why);
  ann.drive(bob.number);
  const handed = [ann.whyNotDriving(), bob.whyNotDriving()];
  const seenByEve = told['eve'];
  bob.leave();

  assert.deepEqual(free, [undefined, undefined]);
  assert.deepEqual(held, [undefined, 'ann controls the mouse and keyboard.']);
  assert.match(stolen!, /use the mouse and keyboard/);
  assert.deepEqual(unfit, ['string', 'string', 'string']);
  assert.deepEqual(handed, ['bob controls the mouse and keyboard.', undefined]);
  assert.deepEqual(seenByEve, [false, true, false]);
  assert.deepEqual(rested, ['bob', 'eve', 'ann', 'eve']);
  assert.equal(ann.whyNotDriving(), undefined);
});

test('while the person at the device is asked nobody who is connected can press the answer', async () => {
  const participants = createParticipants();
  const ann = participants.join({ name: 'ann', mayDrive: true, tell: () => {}, releaseInput: () => {} });
  ann.drive('me');

  const during = await participants.withInputBlocked(async () => ann.whyNotDriving());
  await assert.rejects(participants.withInputBlocked(() => Promise.reject(new Error('no display'))));
  await participants.withInputBlocked(async () => {});

  assert.equal(during, 'The person at the device is being asked a question.');
  assert.equal(ann.whyNotDriving(), undefined);
});
