/** What the doctor says about the paths to a Wayland desktop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describePaths } from './doctor.ts';

test('each path has one sentence: the first possible one is used', () => {
  const paths = [
    { name: 'GNOME', whyNot: 'GNOME Shell does not run.' },
    { name: 'wlroots' },
    { name: 'portal' },
  ];

  assert.deepEqual(describePaths(paths, undefined), [
    'GNOME: GNOME Shell does not run.',
    'wlroots: used.',
    'portal: possible, but a better one is used.',
    'VNC: not used, because DRAWBRIDGE_AGENT_VNC is not set.',
  ]);
});

test('VNC is used only if no other path is possible', () => {
  const path = { name: 'wlroots', whyNot: 'The compositor does not offer zwlr_screencopy_manager_v1.' };

  assert.equal(describePaths([path], '/run/vnc').at(-1), 'VNC: used, from /run/vnc.');
  assert.equal(describePaths([{ name: 'wlroots' }], '/run/vnc').at(-1), 'VNC: not needed.');
});

test('what is missing on the path that is used is told, and without any path what to do', () => {
  const warnings = ['Their desktop has no XWayland.'];
  const path = { name: 'GNOME', whyNot: 'PipeWire does not run.' };

  assert.deepEqual(describePaths([{ name: 'GNOME', warnings }], undefined).slice(0, 2), [
    'GNOME: used.',
    '  Missing: Their desktop has no XWayland.',
  ]);
  assert.match(describePaths([path], undefined).at(-1)!, /^This desktop cannot be shown\. .* X11 desktop/);
});
