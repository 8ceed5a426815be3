/** Enrolment: adds devices to an account. One function per row of contract/src/v1/enrolment.ts. */
import { fault, isFault } from '@drawbridge/contract/faults';
import { formatEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import type { enrolment as table } from '@drawbridge/contract/v1/enrolment';
import { enrolmentLifetime, maxEnrolmentLifetime } from '../domain/devices/device-identity.ts';
import { effectivePolicy } from '../domain/devices/policies.ts';
import type { Handlers } from './handler.ts';

export const enrolmentHandlers: Handlers<typeof table> = {
  'agents/enroll/create': async ({ actor, input, change }, { random, digestOf, now, certificate }) => {
    const expires = input.expires ?? now() + enrolmentLifetime;
    if (expires <= now() || expires > now() + maxEnrolmentLifetime)
      return fault('invalid', {
        field: 'expires',
        message: 'expires must be in the future and within one year.',
      });
    const secret = random.token();
    const outcome = await change('enroll/create', {
      accountId: actor.accountId,
      memberId: actor.memberId,
      digest: digestOf(secret),
      groupId: input.group_id ?? null,
      uses: input.uses,
      expireTime: expires,
    });
    if (isFault(outcome)) return outcome;
    return { id: outcome.id, token: formatEnrolmentToken({ secret, certificate: certificate() }), expires };
  },

  'agents/enroll/list': async ({ actor }, { store, now }) => {
    const found = await store.deviceIdentity.enrolments(actor.accountId, now());
    return {
      data: found.map((token) => ({
        id: token.id,
        email: token.email,
        ...(token.groupId !== null && { group_id: token.groupId }),
        uses: token.uses,
        uses_left: token.usesLeft,
        create_time: token.createTime,
        expires: token.expireTime,
        active: token.active,
      })),
    };
  },

  'agents/enroll/revoke': async ({ actor, input, change }) =>
    change('enroll/revoke', { accountId: actor.accountId, id: input.id }),

  'agents/pending': async ({ actor }, { store }) => {
    const found = await store.deviceIdentity.pending(actor.accountId);
    return {
      data: found.map(({ id, deviceId, name, os, ip, linkTime }) => ({
        id,
        device_id: deviceId,
        name,
        os,
        ip,
        link_time: linkTime,
      })),
    };
  },

  'agents/approve': async ({ actor, granted: [, agent], change }, { fleet }) => {
    const outcome = await change('devices/approve', { accountId: actor.accountId, id: agent.id });
    if (!isFault(outcome)) void fleet.command(agent.id, 'settings', { name: agent.name });
    return outcome;
  },

  'account/info': async ({ actor }, { store }) => {
    const { approveDevices, record, policy } = await store.accounts.settings(actor.accountId);
    const { onetime_url } = effectivePolicy({ account: policy });
    return { data: { approve_devices: approveDevices, record, onetime_url } };
  },

  'account/update': async ({ actor, input, change }) =>
    change('accounts/settings', {
      accountId: actor.accountId,
      ...(input.approve_devices !== undefined && { approveDevices: input.approve_devices }),
      ...(input.record !== undefined && { record: input.record }),
      ...(input.onetime_url !== undefined && { policy: { onetime_url: input.onetime_url } }),
    }),
};
