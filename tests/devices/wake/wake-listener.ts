/**
 * A sleeping network card: prints in hexadecimal every packet that reaches it on the port of magic packets.
 */
import { createSocket } from 'node:dgram';

const magicPort = 9;
const socket = createSocket('udp4', (packet) => console.log(`packet ${packet.toString('hex')}`));
socket.bind(magicPort, () => console.log('listening'));
