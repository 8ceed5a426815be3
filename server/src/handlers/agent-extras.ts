/** Further operations on devices. One function per row of contract/src/v1/agent-extras.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { agentExtras as table } from '@drawbridge/contract/v1/agent-extras';
import { isOnline } from '../domain/devices/agents.ts';
import { findDuplicates } from '../domain/devices/device-identity.ts';
import type { MachineRecord } from '../store/records.ts';
import type { Handlers } from './handler.ts';
import { commandFault } from './command-faults.ts';

export const agentExtraHandlers: Handlers<typeof table> = {
  'agents/lock': async ({ granted: [agent] }, { fleet }) => {
    const answer = await fleet.command(agent.id, 'lock', {});
    return commandFault(answer, 'id') ?? {};
  },

  'agents/favorite': async ({ actor, granted: [agent], input, change }) =>
    change('agents/favor', {
      accountId: actor.accountId,
      memberId: actor.memberId,
      id: agent.id,
      favorite: input.favorite,
    }),

  'agents/software': async ({ granted: [agent] }, { store, fleet, changeUnaudited }) => {
    const answer = await fleet.command(agent.id, 'software', {});
    if (typeof answer === 'object' && 'done' in answer)
      await changeUnaudited('devices/software', {
        accountId: agent.accountId,
        id: agent.id,
        software: JSON.stringify(answer.done.programs),
      });
    const { time, programs } = await store.deviceIdentity.software(agent.accountId, agent.id);
    // An earlier list is better than a fault. An offline device without a list is no fault: the result is empty.
    const refusal = time === 0 && answer !== 'offline' ? commandFault(answer, 'agent_id') : undefined;
    return refusal ?? { time, data: programs };
  },

  'agents/settings': async ({ granted: [{ policies, onetimeInherited }] }) => ({
    data: {
      onetime_url: policies.device.onetime_url ?? 'inherit',
      onetime_url_inherited: onetimeInherited,
    },
  }),

  'agents/settings/update': async ({ granted: [{ accountId, id }], input, change }) =>
    change('agents/policy', { accountId, id, policy: { onetime_url: input.onetime_url } }),

  'agents/duplicates': async ({ actor, granted: [scope] }, { store, now }) => {
    const machines = await store.deviceIdentity.machines(actor.accountId, scope);
    const view = ({ id, deviceId, name, leaseUntil, lastTime }: MachineRecord) => ({
      id,
      device_id: deviceId,
      name,
      online: isOnline({ leaseUntil }, now()),
      last_time: lastTime,
    });
    const pairs = findDuplicates(machines);
    return {
      data: pairs.map(({ source, target, because }) => ({
        source: view(source),
        target: view(target),
        because,
      })),
      copied: machines.flatMap((machine) =>
        machine.copiedTime === null ? [] : [{ ...view(machine), time: machine.copiedTime }],
      ),
      total: pairs.length,
    };
  },

  'agents/copied/clear': async ({ granted: [agent], change }) =>
    change('devices/clear-copied', { accountId: agent.accountId, id: agent.id }),

  'agents/notes': async ({ granted: [agent] }, { store }) => {
    const notes = await store.agents.notes(agent.accountId, agent.id);
    return notes === undefined ? fault('not_found') : { data: { notes } };
  },

  'agents/notes/update': async ({ granted: [agent], input: { notes, before }, change }) =>
    change('agents/notes', {
      accountId: agent.accountId,
      id: agent.id,
      notes,
      ...(before !== undefined && { before }),
    }),
};
