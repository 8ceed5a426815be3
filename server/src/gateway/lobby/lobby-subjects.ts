/** What is said on the bus about clients of invitations: by those who hold their lines, and by those who want to reach them. */

/** Asks whoever holds the client's line to send it to the relay; `true` when it was told. */
export const clientSubject = (invitationId: number): string => `invitation.${invitationId}.session`;

export interface ClientCall {
  /** The client the grant is for; another that took its place meanwhile is not told. */
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

/** Tells that a client has come to a node. */
export const clientArrivedSubject = 'invitations.arrived';

export interface ClientArrival {
  id: number;
  node: string;
}
