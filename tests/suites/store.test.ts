/** One suite that every store passes, run on SQLite and on PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases } from '../kit/server/database.ts';
import { createCoverage } from './coverage.ts';
import type { StoreFixture } from './fixture.ts';
import { auditSuite } from './store-audit.ts';
import { brandsSuite } from './store-brands.ts';
import { cascadesSuite } from './store-cascades.ts';
import { clientsSuite } from './store-clients.ts';
import { departmentsSuite } from './store-departments.ts';
import { devicesSuite } from './store-devices.ts';
import { enrolSuite } from './store-enrol.ts';
import { escalationSuite } from './store-escalation.ts';
import { factorsSuite } from './store-factors.ts';
import { filesSuite } from './store-files.ts';
import { accessSuite } from './store-access.ts';
import { hintsSuite } from './store-hints.ts';
import { keysSuite } from './store-keys.ts';
import { linksSuite } from './store-links.ts';
import { mergeSuite } from './store-merge.ts';
import { networksSuite } from './store-networks.ts';
import { panelSuite } from './store-panel.ts';
import { peopleSuite } from './store-people.ts';
import { planSuite } from './store-plan.ts';
import { presenceSuite } from './store-presence.ts';
import { recordingsSuite } from './store-recordings.ts';
import { reportsSuite } from './store-reports.ts';
import { resetSuite } from './store-reset.ts';
import { sessionsSuite } from './store-sessions.ts';
import { stepsSuite } from './store-steps.ts';
import { supportSuite } from './store-support.ts';
import { teamSuite } from './store-team.ts';
import { tidyingSuite } from './store-tidying.ts';
import { openTestStore, type TestStore } from './test-store.ts';

const parts = [
  peopleSuite,
  keysSuite,
  panelSuite,
  networksSuite,
  stepsSuite,
  factorsSuite,
  resetSuite,
  teamSuite,
  departmentsSuite,
  escalationSuite,
  devicesSuite,
  presenceSuite,
  enrolSuite,
  reportsSuite,
  filesSuite,
  mergeSuite,
  cascadesSuite,
  supportSuite,
  linksSuite,
  sessionsSuite,
  recordingsSuite,
  clientsSuite,
  hintsSuite,
  accessSuite,
  planSuite,
  auditSuite,
  brandsSuite,
  tidyingSuite,
];

for (const { kind, skip } of databases)
  describe(`the store on ${kind}`, { skip }, () => {
    const coverage = createCoverage();
    let opened: TestStore;
    let watched: StoreFixture;
    before(async () => {
      opened = await openTestStore(kind);
      watched = { ...opened, store: coverage.watch(opened.store) };
    });
    after(() => opened[Symbol.asyncDispose]());

    for (const part of parts) part(() => watched);

    test('every read and every outcome of every change was covered', () => {
      assert.deepEqual(coverage.missing(), []);
    });
  });
