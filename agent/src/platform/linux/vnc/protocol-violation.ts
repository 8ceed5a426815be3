/** What is said of a VNC server that does not keep to its protocol: it is left, and the agent goes on. */
import { NotPossible } from '../../platform.ts';

/** `what` it sent, such as "a rectangle beyond its screen". */
export function protocolViolation(what: string): never {
  throw new NotPossible(`The VNC server of the device sent ${what}. The agent closed the connection to it.`);
}
