/** Parts of the page that are loaded when they are needed, from where the page itself came from. */

export const loadModule = <Module>(name: string): Promise<Module> =>
  import(new URL(`/app/${name}`, location.href).href) as Promise<Module>;
