/** Loaded into a server before it starts: SIGUSR2 sets its clock forward by an hour. */
const jumpMs = 3_600_000;
const realNow = Date.now;
let shiftMs = 0;

Date.now = () => realNow() + shiftMs;
process.on('SIGUSR2', () => void (shiftMs += jumpMs));
