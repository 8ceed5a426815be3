/** Loaded into the process of each test file: ends one that hangs, and with it the programs it has started. */
const deadlineMinutes = 10;

setTimeout(() => {
  console.error(`This file had not ended after ${deadlineMinutes} minutes, so it was stopped.`);
  process.exit(1);
}, deadlineMinutes * 60_000).unref();
