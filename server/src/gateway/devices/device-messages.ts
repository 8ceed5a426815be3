/** Receives the messages of an authenticated device: answers to commands, and reports that are stored. */
import type { CommandAnswer } from '@drawbridge/contract/uplink/commands';
import {
  readMessage,
  upKindsByState,
  upMessages,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import type { RawData } from 'ws';
import type { KeyedQueue } from '../../edges/keyed-queue.ts';
import type { Log } from '../../edges/log.ts';
import { createRateLimiter } from '../../edges/rate-limiter.ts';
import type { AdmissionDeps } from './admission.ts';
import { closeDevice, resolveCommand, type UplinkConnection } from './uplink-connection.ts';

interface DeviceMessageDeps extends Pick<AdmissionDeps, 'store' | 'geoOf'> {
  log: Log;
  /** A device that reconnects must not overtake what it reported before it left. */
  queue: KeyedQueue;
}

/** A message in which a device reports something about itself. */
type ReportMessage = Extract<UpMessage, { kind: 'kept' | 'facts' | 'hardware' | 'update' }>;

/** So many bytes count as one message more, so that long messages are rarer than short ones. */
const bytesPerMessage = 20_000;

/** Receives what an authenticated device sends, limited by number and size. */
export function receiveMessages(deps: DeviceMessageDeps, connection: UplinkConnection): void {
  const rate = createRateLimiter({ perSecond: 20, burst: 100 });
  const { socket } = connection;
  const isOverLimit = (bytes: number): boolean => {
    connection.lastReceivedAt = performance.now();
    if (rate.allow('', 1 + Math.floor(bytes / bytesPerMessage))) return false;
    closeDevice(connection, 'too_much');
    return true;
  };
  socket.on('pong', (data) => isOverLimit(data.length));
  socket.on('ping', (data) => void (isOverLimit(data.length) || socket.pong(data)));
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN || isOverLimit((data as Buffer).length)) return;
    const text = isBinary ? undefined : (data as Buffer).toString();
    const message = text === undefined ? undefined : readMessage(upMessages, text, upKindsByState.welcomed);
    if (!message) return closeDevice(connection, 'not_understood');
    if (message === 'unexpected') return closeDevice(connection, 'unexpected');
    handleMessage(deps, connection, message);
  });
}

function handleMessage(
  deps: DeviceMessageDeps,
  connection: UplinkConnection,
  message: ReportMessage | Extract<UpMessage, { kind: 'answer' }>,
): void {
  if (message.kind === 'answer')
    return resolveCommand(connection, message.number, toCommandAnswer(message), message.ms);
  deps.queue
    .run(connection.key, () => storeReport(deps, message, connection))
    .catch((error: unknown) => {
      deps.log.error(
        { err: error, agent: connection.agentId },
        'a message from a device could not be stored',
      );
      closeDevice(connection, 'failed');
    });
}

const toCommandAnswer = ({ done, refused }: Extract<UpMessage, { kind: 'answer' }>): CommandAnswer =>
  refused === undefined ? { done: (done ?? {}) as never } : { refused };

async function storeReport(
  { store, geoOf }: Pick<DeviceMessageDeps, 'store' | 'geoOf'>,
  message: ReportMessage,
  { agentId: id, accountId, address }: UplinkConnection,
): Promise<void> {
  const device = { id, accountId };
  if (message.kind === 'kept') await store.change('devices/kept', { ...device, epoch: message.epoch });
  else if (message.kind === 'facts')
    await store.change('devices/facts', { ...device, facts: message.facts, geo: geoOf(address) });
  else if (message.kind === 'update')
    await store.change('updates/report', { ...device, ...progressOf(message) });
  else await store.change('devices/hardware', { ...device, hardware: JSON.stringify(message.hardware) });
}

const progressOf = ({ state, version, message = '' }: Extract<UpMessage, { kind: 'update' }>) => ({
  progress: state,
  version,
  message,
});
