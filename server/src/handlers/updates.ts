/** Updates of agents. One function per row of contract/src/v1/updates.ts. */
import { isNewerVersion } from '@drawbridge/contract/uplink/release';
import type { updates as table } from '@drawbridge/contract/v1/updates';
import { fault } from '@drawbridge/contract/faults';
import { updateStateOf, type ListedUpdate, type UpdateState } from '../domain/devices/updates.ts';
import type { Handlers } from './handler.ts';

/** How many of these there are of each kind. */
const countBy = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, number][] =>
  [...Map.groupBy(items, keyOf)].map(([key, some]) => [key, some.length]);

const toView = ({ version, pin, target, message, time }: ListedUpdate, state: UpdateState) => ({
  version,
  pin,
  state,
  target,
  message,
  time,
});

export const updateHandlers: Handlers<typeof table> = {
  'agents/updates/status': async ({ actor }, { store, offeredVersion, now }) => {
    const [version, { enabled, paused }, devices] = await Promise.all([
      offeredVersion(),
      store.updates.settings(actor.accountId),
      store.updates.devices(actor.accountId, now()),
    ]);
    const states = countBy(devices, (device) => updateStateOf(device, version, now()));
    const versions = countBy(devices, (device) => device.version);
    return {
      data: {
        version,
        enabled,
        paused,
        states: states.map(([state, count]) => ({ state, devices: count })),
        versions: versions
          .sort(([left], [right]) => (isNewerVersion(left, right) ? -1 : 1))
          .map(([each, count]) => ({ version: each, devices: count })),
      },
    };
  },

  'agents/updates/settings': async ({ actor }, { store }) => {
    const settings = await store.updates.settings(actor.accountId);
    return {
      data: {
        enabled: settings.enabled,
        window_start: settings.windowStart,
        window_end: settings.windowEnd,
        groups: [...settings.groups],
        canary: settings.canary,
        failure_percent: settings.failurePercent,
        per_minute: settings.perMinute,
      },
    };
  },

  'agents/updates/settings/update': async ({ actor, input, change }) =>
    change('updates/settings', {
      accountId: actor.accountId,
      ...(input.enabled !== undefined && { enabled: input.enabled }),
      ...(input.window_start !== undefined && { windowStart: input.window_start }),
      ...(input.window_end !== undefined && { windowEnd: input.window_end }),
      ...(input.groups !== undefined && { groups: input.groups }),
      ...(input.canary !== undefined && { canary: input.canary }),
      ...(input.failure_percent !== undefined && { failurePercent: input.failure_percent }),
      ...(input.per_minute !== undefined && { perMinute: input.per_minute }),
    }),

  'agents/updates/pause': async ({ actor, change }) =>
    change('updates/pause', { accountId: actor.accountId, by: 'person' }),

  'agents/updates/resume': async ({ actor, change }) =>
    change('updates/resume', { accountId: actor.accountId }),

  'agents/updates/devices': async ({ actor, input }, { store, offeredVersion, now }) => {
    const [version, devices] = await Promise.all([
      offeredVersion(),
      store.updates.devices(actor.accountId, now()),
    ]);
    const found = devices
      .map((device) => ({ device, state: updateStateOf(device, version, now()) }))
      .filter(({ state }) => input.state === undefined || state === input.state);
    return {
      total: found.length,
      data: found.slice(input.offset, input.offset + input.limit).map(({ device, state }) => ({
        id: device.id,
        device_id: device.deviceId,
        name: device.name,
        ...(device.groupId !== null && { group_id: device.groupId }),
        online: device.online,
        ...toView(device, state),
      })),
    };
  },

  'agents/updates/info': async ({ granted: [agent] }, { store, offeredVersion, now }) => {
    const [version, [device]] = await Promise.all([
      offeredVersion(),
      store.updates.devices(agent.accountId, now(), agent.id),
    ]);
    if (!device) return fault('not_found');
    return { data: toView(device, updateStateOf(device, version, now())) };
  },

  'agents/updates/pin': async ({ granted: [agent], input, change }) =>
    change('updates/pin', { accountId: agent.accountId, id: agent.id, pin: input.pin }),
};
