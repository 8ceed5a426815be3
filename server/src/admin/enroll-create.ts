/** `enroll create`: creates a token with which devices join an account. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '@drawbridge/contract/faults';
import { formatEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { operatorAuditLine } from '../domain/audit.ts';
import { random, digestOf } from '../edges/random.ts';
import { loadConfig, certificateSource } from '../config/config.ts';
import { enrolmentLifetime } from '../domain/devices/device-identity.ts';
import type { Store } from '../store/store.ts';
import { presentedCertificate } from '../tls/presented-certificate.ts';
import {
  isFailure,
  failWith,
  type AdminCommand,
  type Failure,
  type CommandOutcome,
  type ProcessContext,
} from './command.ts';
import { findOwner } from './find-people.ts';
import { withStore } from './store-access.ts';
import { timeText, toEmailOption, toId } from './values.ts';

interface EnrollOptions {
  email: string;
  groupId: number | null;
  uses: number;
  /** The fingerprint of the certificate that devices see; empty where they trust it without the fingerprint. */
  certificate: string;
}

export const enrollCreate: AdminCommand = {
  name: 'enroll create',
  says: 'Create a token with which devices join an account, valid for one day.',
  options: {
    email: { takes: 'E', says: 'E-mail address of the account owner', required: true },
    group: { takes: 'ID', says: 'The group new devices are put into' },
    uses: { takes: 'N', says: 'How many devices can use it; 1 by default' },
  },
  async run({ options }, context) {
    const email = toEmailOption(options['email']!);
    const groupId = options['group'] === undefined ? null : toId('group', options['group']);
    const uses = options['uses'] === undefined ? 1 : toId('uses', options['uses']);
    for (const value of [email, groupId, uses]) if (isFailure(value)) return value;
    const values = {
      email,
      groupId,
      uses,
      certificate: await presentedFingerprint(context),
    } as EnrollOptions;
    return withStore(context, (store) => create(store, values));
  },
};

/** The fingerprint of the certificate that devices see; empty where they trust it without the fingerprint, or there is none yet. */
async function presentedFingerprint({ env, folder }: ProcessContext): Promise<string> {
  const { config } = await loadConfig({ env, cwd: folder });
  if (!config) return '';
  const own = await readFile(join(config.data, 'tls', 'cert.pem'), 'utf8').catch(() => '');
  return presentedCertificate(certificateSource(config), () => own).fingerprint();
}

async function create(
  store: Store,
  { email, groupId, uses, certificate }: EnrollOptions,
): Promise<CommandOutcome | Failure> {
  const owner = await findOwner(store, email);
  if (isFailure(owner)) return owner;
  const { accountId, id: memberId } = owner;
  const [secret, expireTime] = [random.token(), store.now() + enrolmentLifetime];
  const outcome = await store.change(
    'enroll/create',
    { accountId, memberId, digest: digestOf(secret), groupId, uses, expireTime },
    operatorAuditLine(accountId, 'server/enroll-create', { email, group_id: groupId, uses }),
  );
  if (isFault(outcome)) return failWith(`There is no group ${groupId} in the account of ${email}.`);
  const token = formatEnrolmentToken({ secret, certificate });
  return {
    data: { id: outcome.id, token, expires: expireTime },
    says: `Token ${outcome.id}, shown only now: ${token}\nIt works until ${timeText(expireTime)}.`,
  };
}
