/** The list of devices that is requested while the page loads: for whom it is used, and when it is not. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { whenSignedOut } from '@drawbridge/web/panel/api';
import {
  dropEarlyListing,
  requestEarlyListing,
  takeEarlyListing,
} from '@drawbridge/web/panel/devices/early-listing';

const [ann, max] = [7, 8];
const listing = { member_id: ann, rights: [], data: [] };

let requests: string[] = [];

/** Answers each request with this body; an error if there is none. */
function answerWith(body: object | undefined, status = 200): void {
  mock.method(globalThis, 'fetch', async (address: string) => {
    requests.push(address);
    if (!body) throw new TypeError('unreachable');
    return new Response(JSON.stringify(body), { status });
  });
}

beforeEach(() => {
  mock.restoreAll();
  requests = [];
  answerWith(listing);
});

test('the list is requested once for the page of the list, and used once by the person it is for', async () => {
  requestEarlyListing('/panel/devices');

  assert.deepEqual(await takeEarlyListing(ann), listing);
  assert.equal(await takeEarlyListing(ann), undefined);
  assert.deepEqual(requests, ['/panel/api/devices']);
});

test('other pages do not request it', async () => {
  for (const path of ['/', '/panel', '/panel/devices/7', '/sign-in']) requestEarlyListing(path);

  assert.equal(await takeEarlyListing(ann), undefined);
  assert.deepEqual(requests, []);
});

test('a list for somebody else is not used', async () => {
  for (const memberId of [max, undefined]) {
    requestEarlyListing('/panel/devices');

    assert.equal(await takeEarlyListing(memberId), undefined);
  }
});

test('after the person has signed out, it is not used', async () => {
  requestEarlyListing('/panel/devices');
  dropEarlyListing();

  assert.equal(await takeEarlyListing(ann), undefined);
});

test('an old list is not used', async () => {
  let time = 0;
  mock.method(performance, 'now', () => time);
  requestEarlyListing('/panel/devices');
  time = 10_001;

  assert.equal(await takeEarlyListing(ann), undefined);
});

test('a list that is refused or does not arrive is none, and nobody is told that they are signed out', async () => {
  let signedOut = 0;
  whenSignedOut(() => (signedOut += 1));
  for (const [body, status] of [
    [{ error: { code: 'signed_out', message: '' } }, 401],
    [undefined],
  ] as const) {
    answerWith(body, status);
    requestEarlyListing('/panel/devices');

    assert.equal(await takeEarlyListing(ann), undefined);
  }
  assert.equal(signedOut, 0);
});
