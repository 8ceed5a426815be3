/** The parts of a server that a process can take on alone. */

export const serverRoles = ['api', 'gateway', 'relay', 'jobs'] as const;

export type ServerRole = (typeof serverRoles)[number];

/** Why a process cannot have exactly these roles, in one sentence; undefined if it can. */
export function rolesProblem(roles: readonly string[], hasBus: boolean): string | undefined {
  if (roles.length === 0) return 'names no role';
  if (roles.includes('api') && !roles.includes('relay'))
    return 'has api without relay. A session is held by the process that opened it: add relay';
  if (serverRoles.some((role) => !roles.includes(role)) && !hasBus)
    return 'leaves out roles that other servers must have. Several servers need DRAWBRIDGE_BUS';
  return undefined;
}

/** In the order of the list above, each once. */
export const toServerRoles = (names: readonly string[]): readonly ServerRole[] =>
  serverRoles.filter((role) => names.includes(role));
