/** Calls an operation on a server and describes a failure in one sentence. */
import { createClient, DrawbridgeError, type OperationId } from '@drawbridge/client';
import { routes } from '@drawbridge/client/operations';
import { exitCodes, type CliFailure } from './failure.ts';
import type { CommandParams } from './params.ts';
import type { ServerTarget } from './target.ts';
import { sanitize } from './text.ts';
import { createFetch, wrongCertificate } from './trust.ts';

/** The body of a reply, and the failure if there was one. */
export interface CallResult {
  body: CommandParams;
  /** The file, if the operation returns one. */
  bytes?: ReadableStream<Uint8Array>;
  failure?: CliFailure;
}

export async function callServer(
  { server, key, trust, traceparent }: ServerTarget,
  id: OperationId,
  params: CommandParams,
  file?: Blob,
): Promise<CallResult> {
  const client = createClient({
    baseUrl: server,
    apiKey: key,
    fetch: createFetch(trust),
    userAgent: 'drawbridge-cli',
    ...(traceparent !== undefined && { traceparent }),
  });
  try {
    const { http, body, bytes, headers } = await client.request(id, params, { bytes: file });
    if (bytes) return { body: {}, bytes };
    if (http === 200 && !isDrawbridgeReply(id, body))
      return { body: {}, failure: { exit: exitCodes.refused, says: notDrawbridge } };
    if (http === 200) return { body: { ...body } };
    return {
      body: { ...body },
      failure: { exit: exitCodes.refused, says: describeRefusal(http, body, headers.get('retry-after')) },
    };
  } catch (error) {
    if (!(error instanceof DrawbridgeError)) throw error;
    return {
      body: {},
      failure: { exit: exitCodes.noConnection, says: `${server}: ${describeProblem(error)}` },
    };
  }
}

/** Another service at this address can answer 200 too; that must not count as success. */
const isDrawbridgeReply = (id: OperationId, body: object): boolean =>
  routes[id].empty === true || Object.keys(body).length > 0;
const notDrawbridge = 'The answer did not come from a Drawbridge server. Check the address of the server.';

interface RefusalBody {
  error?: { code: string; message: string; field?: string };
}

/** Formats `The name is too long (invalid_request, field name).` */
function describeRefusal(http: number, { error }: RefusalBody, retryAfter: string | null): string {
  if (error === undefined) return `The server refused this (HTTP ${http}).`;
  const notes = [error.code, ...(error.field === undefined ? [] : [`field ${error.field}`])];
  if (retryAfter !== null) notes.push(`retry after ${retryAfter} s`);
  return sanitize(`${error.message.replace(/\.$/, '')} (${notes.join(', ')}).`);
}

const howToTrust =
  'If you run the server, pass --fingerprint with the fingerprint that it printed when it started, or --ca with its certificate file.';

const certificateProblems: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed and not trusted here. ${howToTrust}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is not signed by an authority that is trusted here. ${howToTrust}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate is not signed by an authority that is trusted here. ${howToTrust}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate is not signed by an authority that is trusted here. ${howToTrust}`,
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different host name.',
  [wrongCertificate]: 'its certificate does not have this fingerprint; nothing was sent.',
};

function describeProblem({ message, cause }: DrawbridgeError): string {
  const code = (cause as NodeJS.ErrnoException).code;
  const known = typeof code === 'string' ? code : undefined;
  return certificateProblems[known ?? ''] ?? `${message.replace(/\.$/, '')}${known ? ` (${known})` : ''}.`;
}
