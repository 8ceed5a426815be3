/** Loaded into the process of each test file: ends one that hangs, and with it the programs it has started; and keeps the test runner from tracking promises. */
import asyncHooks, { createHook } from 'node:async_hooks';

/** Long runs of a file need more. */
const deadlineMinutes = Number(process.env['DRAWBRIDGE_TEST_MINUTES'] ?? 10);

setTimeout(() => {
  console.error(`This file had not ended after ${deadlineMinutes} minutes, so it was stopped.`);
  process.exit(1);
}, deadlineMinutes * 60_000).unref();

/**
 * The test runner still tracks timers, sockets and the like. Tracking promises takes a fifth of the CPU time of many tests,
 * and only serves to name the test of an error that nobody caught: such an error still fails its file.
 */
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
