// The parts of the package x11 that the agent uses.
declare module 'x11' {
  namespace x11 {
    interface Client {
      GetImage(
        format: number,
        drawable: number,
        x: number,
        y: number,
        width: number,
        height: number,
        planes: number,
        done: (error: Error | null, image: { data: Buffer }) => void,
      ): void;
      terminate(): void;
      on(event: 'error', listener: (error: Error) => void): void;
    }
    interface Opened {
      client: Client;
      screen: { root: number; pixel_width: number; pixel_height: number }[];
    }
    function createClient(
      options: { display: string },
      done: (error: Error | null, display: Opened) => void,
    ): Client;
  }
  export default x11;
}
