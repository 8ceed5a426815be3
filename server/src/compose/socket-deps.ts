/** What the WebSocket endpoints of the server need. */
import type { Identity } from '../gateway/devices/identity.ts';
import type { Locate } from '../edges/location.ts';
import type { Log } from '../edges/log.ts';

/** What all who hold sockets share. */
export interface SocketDeps {
  log: Log;
  /** This process among those that serve the same store. */
  node: string;
  identity: Identity;
  geoOf: Locate;
}
