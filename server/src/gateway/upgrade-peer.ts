/** The client that asks for a WebSocket. */
export interface UpgradePeer {
  address: string;
  /** Called once the client has proved to be a known device, an invited client, or one side of a session. */
  settle(): void;
}
