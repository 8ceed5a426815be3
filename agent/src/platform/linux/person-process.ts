/** The environment of programs that the agent starts as another person, who can read it in /proc. */

/** Nothing else of the service's environment, which can hold its secrets, such as the password of a proxy. */
export const environmentForPerson = (variables: Record<string, string>): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  ...variables,
});
