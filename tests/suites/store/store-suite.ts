/** The tests of the store, the same for every kind of database. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases, type DatabaseKind } from '../../kit/server/database.ts';
import { createCoverage } from './coverage.ts';
import type { StoreFixture } from './fixture.ts';
import { auditSuite } from './audit.ts';
import { brandsSuite } from './people/brands.ts';
import { picturesSuite } from './people/pictures.ts';
import { cascadesSuite } from './cascades.ts';
import { clientsSuite } from './support/clients.ts';
import { departmentsSuite } from './people/departments.ts';
import { directoriesSuite } from './people/directories.ts';
import { importsSuite } from './people/imports.ts';
import { providerGuardsSuite } from './people/provider/provider-guards.ts';
import { providerLogoutSuite } from './people/provider/provider-logout.ts';
import { providersSuite } from './people/provider/providers.ts';
import { provisioningSuite } from './people/provisioning.ts';
import { devicesSuite } from './devices/devices.ts';
import { enrolSuite } from './devices/enrolment.ts';
import { escalationSuite } from './people/escalation.ts';
import { factorsSuite } from './people/factors.ts';
import { filesSuite } from './devices/files.ts';
import { accessSuite } from './people/access.ts';
import { hintsSuite } from './hints.ts';
import { keysSuite } from './people/keys.ts';
import { linksSuite } from './sessions/links.ts';
import { watchLists, type ListWatch } from './list-watch.ts';
import { mergeSuite } from './devices/merge.ts';
import { namesSuite } from './people/names.ts';
import { networksSuite } from './people/networks.ts';
import { nodesSuite } from './devices/nodes.ts';
import { notificationsSuite } from './notifications/notifications.ts';
import { notifiedSuite } from './notifications/notified.ts';
import { outagesSuite } from './notifications/outages.ts';
import { subscriptionsSuite } from './notifications/subscriptions.ts';
import { panelSuite } from './people/panel-sessions.ts';
import { peopleSuite } from './people/people.ts';
import { planSuite } from './people/plan.ts';
import { policiesSuite } from './devices/policies.ts';
import { presenceSuite } from './devices/presence.ts';
import { recordingsSuite } from './sessions/recordings.ts';
import { grantEndsSuite } from './people/grant-ends.ts';
import { webhooksSuite } from './people/webhooks.ts';
import { requestsSuite } from './people/requests.ts';
import { reportsSuite } from './devices/reports.ts';
import { resetSuite } from './people/reset.ts';
import { approvalsSuite } from './sessions/approvals.ts';
import { secretsSuite } from './people/secrets.ts';
import { sessionsSuite } from './sessions/sessions.ts';
import { holdersSuite } from './sessions/holders.ts';
import { stepsSuite } from './people/sign-in-steps.ts';
import { supportSuite } from './support/support.ts';
import { teamSuite } from './people/team.ts';
import { tidyingSuite } from './tidying.ts';
import { updatesSuite } from './devices/updates.ts';
import { openTestStore, type TestStore } from './test-store.ts';

const parts = [
  peopleSuite,
  keysSuite,
  panelSuite,
  namesSuite,
  networksSuite,
  stepsSuite,
  factorsSuite,
  resetSuite,
  teamSuite,
  departmentsSuite,
  directoriesSuite,
  secretsSuite,
  importsSuite,
  providersSuite,
  providerGuardsSuite,
  providerLogoutSuite,
  provisioningSuite,
  escalationSuite,
  grantEndsSuite,
  requestsSuite,
  webhooksSuite,
  devicesSuite,
  presenceSuite,
  nodesSuite,
  policiesSuite,
  enrolSuite,
  reportsSuite,
  updatesSuite,
  filesSuite,
  mergeSuite,
  cascadesSuite,
  supportSuite,
  linksSuite,
  sessionsSuite,
  holdersSuite,
  approvalsSuite,
  recordingsSuite,
  clientsSuite,
  subscriptionsSuite,
  outagesSuite,
  notifiedSuite,
  notificationsSuite,
  hintsSuite,
  accessSuite,
  planSuite,
  auditSuite,
  brandsSuite,
  picturesSuite,
  tidyingSuite,
];

/** Declares the tests of the store on one kind of database. */
export function describeStore(kind: DatabaseKind): void {
  const { skip } = databases.find((each) => each.kind === kind)!;
  describe(`the store on ${kind}`, { skip }, () => {
    const coverage = createCoverage();
    let opened: TestStore;
    let lists: ListWatch | undefined;
    let watched: StoreFixture;
    before(async () => {
      opened = await openTestStore(kind);
      if (kind === 'sqlite') lists = watchLists(opened);
      const fixture = lists?.watched ?? opened;
      watched = { ...fixture, store: coverage.watch(fixture.store) };
    });
    after(() => opened[Symbol.asyncDispose]());

    for (const part of parts) part(() => watched);

    test('every read and every outcome of every change was covered', () => {
      assert.deepEqual(coverage.missing(), []);
    });

    // The same code moves it on every database, so it is watched on the one that reads lists faster.
    if (kind === 'sqlite')
      test('every change that altered a list of devices has moved the version of its account', () => {
        assert.deepEqual(lists?.unmoved(), []);
      });
  });
}
