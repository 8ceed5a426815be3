/** The unit of sizes in the system information. */
const megabyte = 1_048_576;

export const toMegabytes = (bytes: number): number => Math.round(bytes / megabyte);
