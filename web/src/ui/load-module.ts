/** Loads a part of the page on demand, from the origin of the page. */

export const loadModule = <Module>(name: string): Promise<Module> =>
  import(new URL(`/app/${name}`, location.href).href) as Promise<Module>;
