// The parts of the package x11 that the agent uses.
declare module 'x11' {
  import type { Socket } from 'node:net';

  namespace x11 {
    /** Returning true marks an error as handled; other errors reach the client's listeners. */
    type Done<Result> = (error: Error | null, result: Result) => boolean | void;

    interface Event {
      name: string;
      type: number;
      /** The window or resource the event is about; each kind of event has further fields. */
      wid?: number;
      [field: string]: unknown;
    }

    interface Rectangle {
      x: number;
      y: number;
      width: number;
      height: number;
    }

    interface Damage {
      Create(damage: number, drawable: number, level: number): void;
      Subtract(damage: number, repair: number, parts: number): void;
      Destroy(damage: number): void;
    }

    interface CursorImage {
      x: number;
      y: number;
      width: number;
      height: number;
      xhot: number;
      yhot: number;
      cursorSerial: number;
      /** Blue, green, red, alpha of each pixel, premultiplied. */
      cursorImage: Buffer;
    }

    interface Fixes {
      CreateRegion(region: number, rectangles: readonly Rectangle[]): void;
      DestroyRegion(region: number): void;
      FetchRegion(region: number, done: Done<{ rectangles: Rectangle[] }>): void;
      SelectCursorInput(window: number, mask: number): void;
      GetCursorImage(done: Done<CursorImage>): void;
      SelectSelectionInput(window: number, selection: number, mask: number): void;
    }

    interface Mode {
      id: number;
      width: number;
      height: number;
    }

    interface Resources {
      timestamp: number;
      config_timestamp: number;
      crtcs: number[];
      outputs: number[];
      modeinfos: Mode[];
    }

    interface Output {
      crtc: number;
      /** In millimetres; 0 for a virtual output. */
      mm_width: number;
      modes: number[];
      name: string;
    }

    interface Crtc {
      x: number;
      y: number;
      width: number;
      height: number;
      mode: number;
      rotation: number;
      output: number[];
    }

    interface Randr {
      majorOpcode: number;
      firstEvent: number;
      major_version: number;
      minor_version: number;
      SelectInput(window: number, mask: number): void;
      GetScreenResourcesCurrent(window: number, done: Done<Resources>): void;
      GetOutputInfo(output: number, time: number, done: Done<Output>): void;
      GetCrtcInfo(crtc: number, time: number, done: Done<Crtc>): void;
      GetCrtcGamma(
        crtc: number,
        done: Done<{ size: number; red: number[]; green: number[]; blue: number[] }>,
      ): void;
      SetCrtcGamma(
        crtc: number,
        red: readonly number[],
        green: readonly number[],
        blue: readonly number[],
      ): void;
      GetScreenSizeRange(
        window: number,
        done: Done<{ minWidth: number; minHeight: number; maxWidth: number; maxHeight: number }>,
      ): void;
      SetScreenSize(
        window: number,
        width: number,
        height: number,
        millimetresWide: number,
        millimetresHigh: number,
      ): void;
      CreateMode(
        window: number,
        mode: { width: number; height: number; name: string },
        done: Done<number>,
      ): void;
      AddOutputMode(output: number, mode: number): void;
      SetCrtcConfig(
        crtc: number,
        time: number,
        configTime: number,
        x: number,
        y: number,
        mode: number,
        rotation: number,
        outputs: readonly number[],
        done: Done<{ status: number }>,
      ): void;
    }

    interface Shm {
      Attach(segment: number, id: number, readOnly: boolean, done: Done<void>): void;
      Detach(segment: number): void;
      GetImage(
        drawable: number,
        x: number,
        y: number,
        width: number,
        height: number,
        planes: number,
        format: number,
        segment: number,
        offset: number,
        done: Done<{ depth: number; size: number }>,
      ): void;
    }

    interface Xtest {
      FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
    }

    interface Xinput {
      /** Null if the display is too old for it. */
      xi2: object | null;
      XISelectEvents(window: number, masks: { deviceId: number; mask: readonly string[] }): void;
    }

    interface InputDevice {
      deviceId: number;
      /** 3: a physical mouse, 4: a physical keyboard. */
      use: number;
      enabled: number;
      name: string;
    }

    interface Xinput {
      majorOpcode: number;
      XIQueryDevice(device: number, done: Done<InputDevice[]>): void;
    }

    interface Font {
      fontAscent: number;
      fontDescent: number;
      /** The range of its characters, by the bytes of the first and of the last one. */
      minByte1: number;
      maxByte1: number;
      minCharOrByte2: number;
      maxCharOrByte2: number;
      maxBounds: { characterWidth: number };
      /** One for each character; empty if all have the same size. */
      charInfos: { characterWidth: number }[];
    }

    interface WindowValues {
      backgroundPixel?: number;
      borderPixel?: number;
      overrideRedirect?: boolean;
      eventMask?: number;
      colormap?: number;
    }

    interface Extensions {
      xinput: Xinput;
      damage: Damage;
      fixes: Fixes;
      randr: Randr;
      shm: Shm;
      xinput: Xinput;
      xtest: Xtest;
    }

    interface Client {
      /** Atom numbers by name: the predefined ones, and those requested. */
      atoms: Record<string, number>;
      AllocID(): number;
      ReleaseID(id: number): void;
      require<Name extends keyof Extensions>(name: Name, done: Done<Extensions[Name]>): void;
      QueryExtension(name: string, done: Done<{ present: number }>): void;
      GetImage(
        format: number,
        drawable: number,
        x: number,
        y: number,
        width: number,
        height: number,
        planes: number,
        done: Done<{ data: Buffer }>,
      ): void;
      QueryPointer(window: number, done: Done<{ rootX: number; rootY: number; keyMask: number }>): void;
      GetGeometry(
        drawable: number,
        done: Done<{ xPos: number; yPos: number; width: number; height: number; depth: number }>,
      ): void;
      GetAtomName(atom: number, done: Done<string>): void;
      InternAtom(onlyIfExists: boolean, name: string, done: Done<number>): void;
      CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
      CreateCursor(
        id: number,
        source: number,
        mask: number,
        front: { R: number; G: number; B: number },
        back: { R: number; G: number; B: number },
        x: number,
        y: number,
      ): void;
      ChangeWindowAttributes(
        window: number,
        values: { eventMask?: number; overrideRedirect?: boolean; cursor?: number },
      ): void;
      /** The keycodes that keys can have. */
      display: { min_keycode: number; max_keycode: number };
      GetKeyboardMapping(first: number, count: number, done: Done<number[][]>): void;
      GetModifierMapping(done: Done<number[][]>): void;
      ChangeKeyboardMapping(first: number, symbolsPerKey: number, symbols: readonly number[]): void;
      SetSelectionOwner(owner: number, selection: number, time: number): void;
      ConvertSelection(
        requestor: number,
        selection: number,
        target: number,
        property: number,
        time: number,
      ): void;
      GetProperty(
        remove: number,
        window: number,
        name: number,
        type: number,
        offset: number,
        words: number,
        done: Done<{ type: number; bytesAfter: number; data: Buffer }>,
      ): void;
      ChangeProperty(
        mode: number,
        window: number,
        name: number,
        type: number,
        format: 8 | 32,
        data: Buffer | readonly number[],
      ): void;
      DeleteProperty(window: number, name: number): void;
      SendEvent(destination: number, propagate: number, mask: number, event: Buffer): void;
      CreateWindow(
        id: number,
        parent: number,
        x: number,
        y: number,
        width: number,
        height: number,
        border: number,
        depth: number,
        kind: number,
        visual: number,
        values: WindowValues,
      ): void;
      CreateColormap(id: number, window: number, visual: number, allocates: number): void;
      FreeColormap(id: number): void;
      DestroyWindow(window: number): void;
      MapWindow(window: number): void;
      RaiseWindow(window: number): void;
      MoveWindow(window: number, x: number, y: number): void;
      MoveResizeWindow(window: number, x: number, y: number, width: number, height: number): void;
      GetInputFocus(done: Done<{ focus: number; revertTo: number }>): void;
      SetInputFocus(window: number, revertTo: number): void;
      ListFonts(pattern: string, most: number, done: Done<string[]>): void;
      OpenFont(id: number, name: string): void;
      CloseFont(id: number): void;
      QueryFont(id: number, done: Done<Font>): void;
      CreateGC(
        id: number,
        drawable: number,
        values: { foreground?: number; font?: number; subwindowMode?: number; graphicsExposures?: number },
      ): void;
      ChangeGC(id: number, values: { foreground?: number; font?: number }): void;
      FreeGC(id: number): void;
      PolyFillRectangle(drawable: number, gc: number, boxes: readonly number[]): void;
      CopyArea(
        from: number,
        to: number,
        gc: number,
        x: number,
        y: number,
        toX: number,
        toY: number,
        width: number,
        height: number,
      ): void;
      PutImage(
        format: number,
        drawable: number,
        gc: number,
        width: number,
        height: number,
        x: number,
        y: number,
        leftPad: number,
        depth: number,
        data: Buffer,
      ): void;
      PolyText16(drawable: number, gc: number, x: number, y: number, texts: readonly string[]): void;
      terminate(): void;
      on(event: 'error', listener: (error: Error) => void): void;
      on(event: 'event', listener: (event: Event) => void): void;
      on(event: 'end', listener: () => void): void;
      /** Sends requests that the package does not support. */
      seq_num: number;
      replies: Record<number, [read: (body: Buffer, detail: number) => unknown, done: Done<never>]>;
      stream: { on(event: 'close', listener: () => void): void; destroy(): void };
      pack_stream: { put(request: Buffer): void; submit(expectsReply: boolean): void };
    }

    interface Screen {
      root: number;
      root_depth: number;
      /** The visuals of each depth, by their number. */
      depths: Record<number, Record<number, object>>;
      pixel_width: number;
      pixel_height: number;
      white_pixel: number;
      black_pixel: number;
    }

    interface Opened {
      client: Client;
      screen: Screen[];
    }

    const eventMask: Record<string, number>;

    /** The keysyms of the protocol; a description starts with the character in brackets. */
    const keySyms: Record<string, { code: number; description: string | null }>;

    function createClient(
      options: {
        display: string;
        shm?: false;
        /** An open connection to the display, and the cookie for it. */
        stream?: Socket;
        auth?: { name: string; data: string };
      },
      done: (error: Error | null, display: Opened) => void,
    ): Client;
  }
  export default x11;
}
