/** A printer on the device for the operator: what is printed on it is sent to the operator's page as PDF. */
import { randomBytes } from 'node:crypto';
import { allowsDirection } from '@drawbridge/contract/policy';
import { createSendWindow, type WindowShare } from '@drawbridge/session/send-window';
import { NotPossible } from '../../platform/platform.ts';
import type { PrintJob } from '../../platform/printing/session-printer.ts';
import { consentSeconds } from '../consent.ts';
import type { FeatureContext, FeatureFactory } from '../feature.ts';
import { plainText, shortenName } from '../plain-text.ts';
import { createOperatorSwitch } from './operator-switch.ts';
import { sendDocument } from './send-document.ts';

const notAllowed = 'The policy of this device does not allow printed documents to be sent to operators.';
const maxTitleLength = 120;

interface State {
  context: FeatureContext;
  /** Resolves when the printers so far are removed. */
  removed: Promise<unknown>;
  lastId: number;
  /** The document that is sent now. */
  outgoing: { id: number; window: WindowShare } | undefined;
}

const isAllowed = ({ policy }: FeatureContext): boolean =>
  policy.printing === 'on' && allowsDirection(policy.files, 'from_device');

export const printingFeature: FeatureFactory = (context) => {
  const state: State = { context, removed: Promise.resolve(), lastId: 0, outgoing: undefined };
  const printing = createOperatorSwitch(async (signal) => {
    const opening = open(state, signal);
    // The end of the session waits for a printer that is being added, and removes it.
    state.removed = Promise.allSettled([state.removed, opening]);
    await opening;
  });
  return {
    handlers: {
      printing({ on }) {
        if (on) {
          if (!isAllowed(context)) throw new NotPossible(notAllowed);
          return printing.turnOn();
        }
        printing.turnOff();
        context.send('printing', { on: false });
      },
      document(message) {
        if (message.id !== state.outgoing?.id) return;
        if (message.is === 'taken') state.outgoing.window.acknowledge(message.bytes);
        if (message.is === 'stop') state.outgoing.window.leave();
      },
    },
    policyChanged() {
      if (isAllowed(context) || !printing.isOn()) return;
      printing.turnOff();
      context.send('printing', { on: false, message: notAllowed });
    },
    async stop() {
      printing.turnOff();
      await state.removed;
    },
  };
};

/** Shows the line in the banner before the printer exists. */
async function open(state: State, signal: AbortSignal): Promise<void> {
  const { context } = state;
  await using held = new AsyncDisposableStack();
  await askPerson(context, signal);
  if (signal.aborted) return;
  const name = `Drawbridge-${randomBytes(2).toString('hex').toUpperCase()}`;
  const operator = shortenName(context.operator.name);
  const notice = await context.showNotice(`${operator} receives what is printed on ${name}`);
  held.defer(notice.leave);
  if (notice.whyNot !== undefined) throw new NotPossible(notice.whyNot);
  if (signal.aborted) return;
  const printer = await context.platform.printer({ name, description: `Drawbridge: to ${operator}` });
  held.defer(() => printer.close());
  if (signal.aborted) return;
  printer.onJob((job) => receive(state, job, signal));
  const opened = held.move();
  signal.addEventListener('abort', () => {
    state.outgoing?.window.leave();
    const closing = opened.disposeAsync();
    state.removed = Promise.allSettled([state.removed, closing]);
    closing.catch((error: unknown) => context.log(`The printer ${name} was not removed: ${String(error)}`));
  });
  context.log(`${context.operator.name} receives what is printed on ${name}`);
  context.send('printing', { on: true, printer: name });
}

/** The person who was asked before the session is asked about printing too. */
async function askPerson({ isConfirmed, operator, ask }: FeatureContext, signal: AbortSignal): Promise<void> {
  if (
    isConfirmed &&
    !(await ask(`${operator.name} wants to receive documents printed here`, consentSeconds, signal))
  )
    throw new NotPossible('The person at the device did not agree to print to the operator.');
}

async function receive(state: State, job: PrintJob, signal: AbortSignal): Promise<void> {
  const { context } = state;
  const id = (state.lastId += 1);
  const name = [...plainText(job.title)].slice(0, maxTitleLength).join('');
  const window = createSendWindow(() => performance.now()).join();
  state.outgoing = { id, window };
  try {
    const onBegin = (): void => {
      context.log(`${context.operator.name} receives the printed document ${name}`);
      context.send('document', { is: 'begin', id, name });
    };
    const size = await sendDocument(context, { id, job, window, onBegin });
    context.send('document', { is: 'end', id, size });
  } catch (error) {
    const message = error instanceof NotPossible ? error.message : 'The device could not send it.';
    if (!signal.aborted) context.send('document', { is: 'failed', id, message });
    throw error;
  } finally {
    window.leave();
    state.outgoing = undefined;
  }
}
