/** Loaded into a server before it starts: at SIGUSR2 its clock jumps by as many milliseconds as the environment says. */
const jumpMs = Number(process.env['TEST_CLOCK_JUMP_MS'] ?? 0);
const realNow = Date.now;
let shiftMs = 0;

Date.now = () => realNow() + shiftMs;
process.on('SIGUSR2', () => void (shiftMs += jumpMs));
