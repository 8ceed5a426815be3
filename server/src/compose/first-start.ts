/** The text that the server prints when it has started. With the usual names no line is longer than 80 characters. */
import type { Config } from '../config/config.ts';
import type { ServerCertificate } from '../tls/certificate.ts';
import type { RunningServer } from './server.ts';

export function startMessage({ config, certificate, first }: RunningServer): string {
  return [
    `Drawbridge is ready at ${config.publicUrl}`,
    ...certificateLines(config, certificate),
    ...(first
      ? [
          '',
          `The first account belongs to ${first.input.email}.`,
          'Keep the link and the key; they are not shown again.',
          '  Sign-in link (one use, 24 hours):',
          `  ${first.signInUrl}`,
          `  API key: ${first.apiKey}`,
        ]
      : []),
    '',
  ].join('\n');
}

function certificateLines({ tls, acme }: Config, certificate: ServerCertificate): string[] {
  if (tls) return [];
  if (!acme) return ownCertificate(certificate.certFile, certificate.fingerprint256);
  return [
    `  It obtains its certificate from ${new URL(acme.directory).host}.`,
    '  `drawbridge doctor` says whether that works.',
  ];
}

const ownCertificate = (file: string, fingerprint: string): string[] => [
  '  The server created its own certificate:',
  `  ${file}`,
  `  SHA-256 ${fingerprint.replaceAll(':', '')}`,
  '  Trust this file in your browser or client, or set your own certificate',
  '  with DRAWBRIDGE_TLS_CERT and DRAWBRIDGE_TLS_KEY.',
];
