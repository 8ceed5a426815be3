/** A device whose disk becomes full while it updates. Windows runs the same under Wine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReleaseFolder } from '../../kit/agent/release.ts';
import { openPausingServer } from '../../kit/agent/pausing-server.ts';
import { mountSmallDisk } from '../../kit/nodes/small-disk.ts';
import {
  fillDiskDuringUpdate,
  fullDiskMegabytes,
  fullDiskMoments,
  fullDiskResult,
  momentsOf,
} from './full-disk.ts';

const skip = process.getuid?.() === 0 ? false : 'only root may mount';

for (const [moment, time] of momentsOf(fullDiskMoments))
  test(
    `a device whose disk is full ${time} keeps its version, and updates once there is space`,
    { skip },
    async () => {
      using release = createReleaseFolder();
      using disk = mountSmallDisk(fullDiskMegabytes);
      await using server = await openPausingServer(release.folder);

      const result = await fillDiskDuringUpdate({ release, server, disk }, moment);

      assert.deepEqual(result, fullDiskResult(moment));
    },
  );
