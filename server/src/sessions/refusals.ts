/** Why a session is not opened: every refusal, with a sentence for the person. */
import type { OpeningProblem } from '@drawbridge/contract/session/problem';

const define = <const Rows extends Record<string, OpeningProblem>>(rows: Rows): Rows => rows;

export const refusals = define({
  used: {
    code: 'used',
    message:
      'This link was used, has expired or never existed. Ask the person who gave it to you for a new one.',
  },
  offline: { code: 'offline', message: 'The device is offline.' },
  silent: { code: 'offline', message: 'The device is connected, but did not answer in time.' },
  unreachable: {
    code: 'offline',
    message: 'The server that holds the connection of the device does not respond. Try again in a minute.',
  },
  disabled: {
    code: 'disabled',
    message: 'The device is blocked: the plan of the account does not cover it.',
  },
  waiting: { code: 'forbidden', message: 'The device is waiting for approval.' },
  forbidden: { code: 'forbidden', message: 'You are no longer allowed to connect.' },
  full: {
    code: 'refused',
    message: 'The session must be recorded, but the recording storage of the account is full.',
  },
  storageFull: {
    code: 'refused',
    message: 'The recording storage of the account is full. Remove old recordings first.',
  },
  required: { code: 'forbidden', message: 'This session must be recorded. The recording cannot be stopped.' },
  notRecordable: { code: 'forbidden', message: 'This session cannot be recorded.' },
  ended: { code: 'ended', message: 'The session has ended.' },
  invalid: { code: 'invalid', message: 'The request could not be read.' },
  elsewhere: { code: 'invalid', message: 'This page works only at the public address of the server.' },
  stopping: { code: 'busy', message: 'The server is being restarted. Try again in a few seconds.' },
  busy: { code: 'busy', message: 'There were too many attempts. Wait a minute, then try again.' },
});

/** Whether the device was not asked, so that the link can be used once more. */
export const isUnasked = (refused: OpeningProblem): boolean =>
  refused === refusals.offline || refused === refusals.unreachable;
