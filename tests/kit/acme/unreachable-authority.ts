/** Settings with which a server asks for its certificate at an address where nobody answers. */
export const unreachableAuthority: Record<string, string> = {
  DRAWBRIDGE_ACME_DOMAINS: 'help.example.com',
  DRAWBRIDGE_ACME_TERMS_AGREED: 'true',
  DRAWBRIDGE_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
};
