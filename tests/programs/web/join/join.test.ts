/**
 * The rules of the client's page: how codes are read, what a browser supports, how fast pictures follow each
 * other.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBrowserAbilities } from '@drawbridge/web/join/browser-abilities';
import { codeIn, grouped } from '@drawbridge/web/join/code';
import { createRateControl } from '@drawbridge/web/join/screen/rate-control';
import { toBlocks, differs } from '@drawbridge/web/join/screen/tiles-encoder';
import { systemOf } from '@drawbridge/web/join/browser-info';

test('a code is recognised however it was typed or pasted, and shown in groups of three', () => {
  for (const text of [
    '123456789',
    '123 456 789',
    ' 123-456-789\n',
    'https://help.example/i/123456789',
    '/i/123456789',
  ])
    assert.equal(codeIn(text), '123456789', text);
  for (const text of ['', '12345678', '1234567890', 'https://help.example:8443/i/12345', 'abc'])
    assert.equal(codeIn(text), undefined, text);

  assert.deepEqual(['1', '1234', '12345678901', 'https://a.example/i/987654321'].map(grouped), [
    '1',
    '123 4',
    '123 456 789',
    '987 654 321',
  ]);
});

test('the system is detected from what the browser reports, and a tablet is no computer', () => {
  const agents: [string, number, string][] = [
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140', 10, 'win'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605', 0, 'mac'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605', 5, ''],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, ''],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile', 5, 'android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', 0, 'linux'],
    ['curl/8', 0, ''],
  ];

  for (const [userAgent, maxTouchPoints, system] of agents)
    assert.equal(systemOf({ userAgent, maxTouchPoints }), system, userAgent);
});

test('a browser offers what it supports, and says of everything else why not', () => {
  const granted = [
    'agent_connect',
    'agent_control',
    'agent_chat',
    'agent_audio_calls',
    'agent_file_transfer',
  ];
  const means = { isSharing: false, canShare: true, canTalk: false };

  const before = toBrowserAbilities(granted, means);
  const sharing = toBrowserAbilities(granted, { isSharing: true, canShare: true, canTalk: true });

  assert.deepEqual(before.permissions, ['agent_chat']);
  assert.match(before.unable['agent_connect']!, /not shared a screen yet/);
  assert.deepEqual(sharing.permissions, ['agent_connect', 'agent_chat', 'agent_audio_calls']);
  assert.deepEqual(Object.keys(sharing.unable).toSorted(), ['agent_control', 'agent_file_transfer']);
  assert.deepEqual(toBrowserAbilities(['agent_chat'], means).unable, {});
});

test('at most a few pictures are in flight, and a slow connection makes them coarser', () => {
  const rate = createRateControl();
  const first = rate.bitrate();
  let number = 0;
  while (rate.isOpen() && number < 100) rate.sent((number += 1), 0);
  assert.equal(number, 2);

  // The shortest round trip takes 200 ms: more may be in flight, but never many.
  let now = 200;
  rate.shown(number, now);
  while (rate.isOpen() && number < 100) rate.sent((number += 1), now);
  assert.ok(rate.inFlight() > 2 && rate.inFlight() <= 10, String(rate.inFlight()));

  for (let round = 0; round < 9; round += 1) {
    now += 1_000;
    rate.shown(number, now);
    rate.sent((number += 1), now);
  }
  assert.ok(rate.bitrate() < first / 2, String(rate.bitrate()));

  for (let round = 0; round < 200; round += 1) {
    rate.shown(number, (now += 20));
    rate.sent((number += 1), (now += 250));
  }
  assert.ok(rate.bitrate() > first, String(rate.bitrate()));
});

test('an unacknowledged picture holds back the next one until the operator starts over', () => {
  const rate = createRateControl();
  rate.sent(1, 0);
  rate.sent(2, 0);

  assert.equal(rate.isOpen(), false);
  rate.restart();
  assert.equal(rate.isOpen(), true);
});

test('blocks cover the whole picture once, and only a changed one is found to differ', () => {
  const [width, height] = [600, 300];
  const blocks = toBlocks(width, height);
  const [before, now] = [new Uint32Array(width * height), new Uint32Array(width * height)];
  now[299 * width + 599] = 7;

  const covered = blocks.reduce((sum, block) => sum + block.width * block.height, 0);

  assert.equal(covered, width * height);
  assert.deepEqual(
    blocks.filter((block) => differs(block, width, before, now)),
    [{ x: 512, y: 256, width: 88, height: 44 }],
  );
});
