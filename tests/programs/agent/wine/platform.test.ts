/** The platform of the agent on Windows, under Wine: each part does what the same part on Linux does. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fingerprint, reportedHardware, software } from '@drawbridge/contract/uplink/facts';
import { runOnWindows, skipWithoutWindows } from '../../../kit/agent/windows-program.ts';
import { startDisplay } from '../../../kit/display/display.ts';
import { startSound } from '../../../kit/display/sound.ts';
import { skipWithout } from '../../../kit/requirements.ts';

const skip = skipWithoutWindows() || skipWithout('PulseAudio');
const size = { width: 1_280, height: 800 };

/** What the program has printed about each part. */
let results: Record<string, Record<string, unknown>> = {};

describe('the platform for Windows', { skip }, () => {
  before(async () => {
    await using display = await startDisplay(size.width, size.height);
    await using sound = await startSound();
    const output = await runOnWindows('tests/programs/agent/wine/platform-program.ts', display.name, {
      env: sound.env,
    });
    results = JSON.parse(/^RESULTS (.*)$/m.exec(output)?.[1] ?? '{}') as typeof results;
  });

  const partOf = (name: string): Record<string, unknown> => {
    assert.equal(results[name]?.['error'], undefined);
    return results[name]!;
  };

  test('facts, fingerprint, hardware and programs are reported', () => {
    const { facts, ...reported } = partOf('inventory');
    const { os, name, addresses } = facts as { os: string; name: string; addresses: string[] };
    const hardware = reportedHardware.parse(reported['hardware']);

    assert.equal(os, 'win');
    assert.equal(hardware.ComputerName, name);
    assert.deepEqual(hardware.ComputerIP, addresses);
    assert.match(fingerprint.parse(reported['fingerprint']).machine_id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(hardware.Monitors, [
      { Name: hardware.Monitors[0]!.Name, ScreenHeight: size.height, ScreenWidth: size.width },
    ]);
    assert.ok(hardware.CPUCoresLogical >= hardware.CPUCores && hardware.CPUCores > 0);
    assert.ok(hardware.RAMPhys >= hardware.RAMPhysAvail && hardware.RAMPhysAvail > 0);
    assert.match(hardware.OSName, /^Windows/);
    assert.equal(hardware.LogicalDisks[0]?.Disk, 'C:');
    assert.deepEqual(
      software.parse(reported['software']).find((program) => program.name === 'Example program'),
      { name: 'Example program', version: '1.2', publisher: '', install_date: '2026-01-02' },
    );
  });

  test('files are listed, uploaded, resumed, read, moved and removed, and unsafe names are refused', () => {
    assert.deepEqual(partOf('transfer'), {
      roots: ['C:', 'Z:'],
      resumedAt: 100_000,
      isEqual: true,
      listed: [
        ['deep', 'folder'],
        ['renamed.txt', 'file'],
      ],
      refusals: {
        taken: 'A file or folder with that name already exists.',
        device: 'Windows reserves that name for a device.',
        stream: 'Windows does not allow that name.',
        above: 'The path must not contain "..".',
        missing: 'There is no file or folder with that name.',
        onto: 'A file or folder with that name already exists.',
      },
      left: [{ name: 'up.bin', size: 300_000, time: 1_700_000_000 }],
    });
  });

  test('a terminal runs commands with the environment of the person, and says how it ended', () => {
    assert.deepEqual(partOf('terminal'), { ended: 'The shell exited with code 0.', hasSecret: false });
  });

  test('if the process of the person ends, transfers and terminals fail in a sentence, and work again', () => {
    const ended = 'The process that the agent runs for the person at the device has ended. Try again.';
    assert.deepEqual(partOf('ending'), {
      terminal: ended,
      transfer: ended,
      listed: ['up.bin'],
      isOther: true,
    });
  });

  test('the screen is shown, what is typed arrives, and the clipboard works in both directions', () => {
    const { read, pasted, ...shown } = partOf('desktop');

    assert.equal(read, 'Hello wörld €ж😀 /?^\nnext');
    assert.equal(pasted, 'from the operator\nзвук!');
    assert.deepEqual(shown, {
      size: { ...size, monitors: 1 },
      pixel: 0xff_ffff,
      pointer: { x: 300, y: 200 },
      preview: 'PNG',
    });
  });

  test('banner, question and chat are answered with mouse and keyboard; what Wine cannot do is refused', () => {
    assert.deepEqual(partOf('windows'), {
      isStopped: true,
      answer: true,
      reply: 'Grüße',
      shield:
        'The screen of the device cannot be blacked out because its Windows would black it out for you too. Windows 10 from version 2004 on can do it.',
    });
  });

  test('a notice is shown until the person confirms it', () => {
    assert.deepEqual(partOf('notice'), { isEarly: true });
  });

  test('a packet that wakes another machine is broadcast', () => {
    assert.deepEqual(partOf('wake'), { packet: 'ff'.repeat(6) + '02005e102030'.repeat(16) });
  });

  test('in a call, what the operator says is played, and what the microphone hears is recorded', () => {
    assert.deepEqual(partOf('call'), { isHeard: true });
  });

  test('Ctrl+Alt+Del is allowed to services while it is pressed, and not afterwards, also if the agent is killed', () => {
    assert.deepEqual(partOf('secureAttention'), {
      none: ['none', '0x1', 'none', '0x1', 'none'],
      2: ['0x2', '0x3', '0x2', '0x3', '0x2'],
    });
  });

  test('lock and reboot run the programs of Windows, and the agent leaves safe mode again', () => {
    assert.deepEqual(Object.values(partOf('power')), [
      'harmless: would run rundll32.exe user32.dll,LockWorkStation',
      'harmless: would run bcdedit.exe /set {current} safeboot network',
      'harmless: would run shutdown.exe /r /t 0 /f',
      'harmless: would run bcdedit.exe /deletevalue {current} safeboot',
    ]);
  });
});
