/** The handshake with a VNC server: protocol version, authentication, screen size and pixel format. */
import { NotPossible } from '../../platform.ts';
import type { DisplaySize } from '../common-sizes.ts';
import { protocolViolation } from './protocol-violation.ts';
import { pixelFormat, clientInit, setEncodings } from './messages.ts';
import { authenticateToVnc, type HandshakeDeps, type RfbMinorVersion } from './security.ts';
import { vncSetting } from './settings.ts';

const maxNameBytes = 65_536;

export async function performHandshake(deps: HandshakeDeps): Promise<DisplaySize> {
  const { reader, send } = deps;
  const version = agreedVersion(await reader.take(12));
  send(Buffer.from(`RFB 003.00${version}\n`));
  await authenticateToVnc(deps, version);
  send(clientInit);
  const first = await reader.take(24);
  const length = first.readUInt32BE(20);
  if (length > maxNameBytes) protocolViolation(`a name of ${length} bytes`);
  await reader.skip(length);
  send(pixelFormat);
  send(setEncodings);
  return { width: first.readUInt16BE(0), height: first.readUInt16BE(2) };
}

/** Returns the newest version that both support. By the protocol, unknown versions count as 3.3. */
function agreedVersion(greeting: Buffer): RfbMinorVersion {
  const [, major, minor] = /^RFB (\d{3})\.(\d{3})\n$/.exec(greeting.toString('latin1')) ?? [];
  if (major === undefined)
    throw new NotPossible(`The program at the address in ${vncSetting} is not a VNC server.`);
  const version = Number(major) * 1_000 + Number(minor);
  if (version < 3_003)
    throw new NotPossible(
      'The VNC server of the device is too old: the agent needs protocol version 3.3 or later.',
    );
  if (version >= 3_008) return 8;
  return version === 3_007 ? 7 : 3;
}
