/** URLs of scripts for workers: browsers that enforce Trusted Types accept them only from a policy. */

interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): {
    createScriptURL(text: string): string;
  };
}

/** The path is a constant of the page and never comes from elsewhere. */
export function trustedScriptUrl(path: `/app/${string}.js`): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies };
  const policy = trustedTypes?.createPolicy('drawbridge-worker', { createScriptURL: () => path });
  return policy?.createScriptURL(path) ?? path;
}
