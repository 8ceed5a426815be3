/** The error for a VNC server that violates the protocol. The agent closes the connection and continues. */
import { NotPossible } from '../../platform.ts';

/** `what`: what the server sent, such as "a rectangle beyond its screen". */
export function protocolViolation(what: string): never {
  throw new NotPossible(`The VNC server of the device sent ${what}. The agent closed the connection to it.`);
}
