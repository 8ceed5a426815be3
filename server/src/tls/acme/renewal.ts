/** When a certificate is renewed, and when a renewal that failed is tried again. */
const minute = 60_000;

/** The time in milliseconds at which two thirds of the life of a certificate are over. */
export const renewalTime = (life: { validFromDate: Date; validToDate: Date }): number => {
  const [from, to] = [life.validFromDate.getTime(), life.validToDate.getTime()];
  return from + ((to - from) * 2) / 3;
};

/** Doubles from five minutes up to twelve hours; authorities count failed orders and block who fails often. */
export const orderRetryDelay = (failures: number, wantedMs = 0): number =>
  Math.max(Math.min(5 * minute * 2 ** Math.max(0, failures - 1), 720 * minute), wantedMs);
