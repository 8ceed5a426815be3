/** Tests of which VNC servers the settings may name: only those of the device itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotPossible } from '../../platform.ts';
import { formatVncAddress, vncAddress } from './settings.ts';

const placeOf = (value: string) => vncAddress({ DRAWBRIDGE_AGENT_VNC: value });

test('loopback addresses and paths of sockets are accepted', () => {
  assert.deepEqual(placeOf('127.0.0.1:5900'), { host: '127.0.0.1', port: 5_900 });
  assert.deepEqual(placeOf('127.1.2.3:1'), { host: '127.1.2.3', port: 1 });
  assert.deepEqual(placeOf('localhost:65535'), { host: '127.0.0.1', port: 65_535 });
  assert.deepEqual(placeOf('[::1]:5901'), { host: '::1', port: 5_901 });
  assert.deepEqual(placeOf('/run/user/1000/vnc'), { path: '/run/user/1000/vnc' });
  assert.equal(vncAddress({}), undefined);
  assert.equal(vncAddress({ DRAWBRIDGE_AGENT_VNC: '' }), undefined);
  assert.equal(formatVncAddress({ host: '::1', port: 5_901 }), '[::1]:5901');
});

for (const value of [
  '192.168.1.2:5900',
  '0.0.0.0:5900',
  '[::]:5900',
  '[::ffff:10.0.0.1]:5900',
  'vnc.example.com:5900',
  '127.evil.example.com:5900',
  '127.0.0.1.example.com:5900',
  'localhost.:5900',
])
  test(`${value} is refused because the screen would be sent unencrypted`, () => {
    assert.throws(
      () => placeOf(value),
      (error) => error instanceof NotPossible && error.message.startsWith('DRAWBRIDGE_AGENT_VNC names '),
    );
  });

for (const value of ['5900', '127.0.0.1', '127.0.0.1:', '127.0.0.1:0', '127.0.0.1:65536', '::1:5900', 'vnc'])
  test(`${value} is refused because it has no port or path`, () => {
    assert.throws(
      () => placeOf(value),
      (error) =>
        error instanceof NotPossible && /^DRAWBRIDGE_AGENT_VNC is .* with a port/.test(error.message),
    );
  });
