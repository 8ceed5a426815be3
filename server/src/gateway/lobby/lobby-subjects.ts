/** The subjects and messages on the bus about clients of invitations. The node that holds a client's WebSocket answers them. */

/** Asks the node that holds the client's WebSocket to send the client to the relay; the answer is `true` when it was sent. */
export const clientSubject = (invitationId: number): string => `invitation.${invitationId}.session`;

export interface ClientCall {
  /** The key of the client that the grant is for. A client that has replaced it meanwhile is not sent. */
  key: string;
  grant: string;
  ticket: string;
  relay: string;
}

/** Asks for the last picture of the client's screen. */
export const previewSubject = (invitationId: number): string => `invitation.${invitationId}.preview`;

export interface ClientPreview {
  type: 'image/png' | 'image/jpeg';
  /** In base64. */
  picture: string;
}

/** Asks for the round trips to relays that the client has measured. */
export const roundTripsSubject = (invitationId: number): string => `invitation.${invitationId}.round-trips`;

/** Announces that a client has connected to a node. */
export const clientArrivedSubject = 'invitations.arrived';

export interface ClientArrival {
  id: number;
  node: string;
}
