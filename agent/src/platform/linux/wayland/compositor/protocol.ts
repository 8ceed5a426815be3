/** The names and numbers of the Wayland protocols that several paths or the wlroots path use. Requests and events are numbered apart. */

export const kinds = {
  compositor: 'wl_compositor',
  shm: 'wl_shm',
  seat: 'wl_seat',
  output: 'wl_output',
  outputNames: 'zxdg_output_manager_v1',
  screencopy: 'zwlr_screencopy_manager_v1',
  pointers: 'zwlr_virtual_pointer_manager_v1',
  keyboards: 'zwp_virtual_keyboard_manager_v1',
  layerShell: 'zwlr_layer_shell_v1',
  outputManagement: 'zwlr_output_manager_v1',
} as const;

/** Drags between programs. Optional, and used from this version on, in which both sides agree on what a drop does. */
export const dataDevices = { kind: 'wl_data_device_manager', version: 3 } as const;

/** Both have the same requests and events; the second is the later standard. */
export const dataControlKinds: readonly string[] = [
  'zwlr_data_control_manager_v1',
  'ext_data_control_manager_v1',
];

/** Without these the screen cannot be shown, or the person cannot be told. */
export const requiredKinds: readonly string[] = Object.values(kinds).filter(
  (kind) => kind !== kinds.outputManagement,
);

export const shm = { createPool: 0, createBuffer: 0, destroyBuffer: 0, release: 0 } as const;
export const output = { geometry: 0, mode: 1, scale: 3, name: 4, isCurrentMode: 1 } as const;
export const outputName = { get: 1, position: 0, size: 1, name: 3 } as const;

export const screencopy = {
  captureOutput: 0,
  copy: 0,
  destroy: 1,
  copyWithDamage: 2,
  buffer: 0,
  flags: 1,
  ready: 2,
  failed: 3,
  damage: 4,
  bufferDone: 6,
} as const;

export const pointer = {
  create: 0,
  motionAbsolute: 1,
  button: 2,
  axis: 3,
  frame: 4,
  axisSource: 5,
  axisDiscrete: 7,
  destroy: 8,
} as const;

export const keyboard = { create: 0, keymap: 0, key: 1, modifiers: 2, destroy: 3, xkbText: 1 } as const;

export const dataControl = {
  createSource: 0,
  getDevice: 1,
  setSelection: 0,
  destroyDevice: 1,
  offer: 0,
  receive: 0,
  destroyOffer: 1,
  destroySource: 1,
  /** Events. */
  newOffer: 0,
  selection: 1,
  send: 0,
  cancelled: 1,
} as const;

export const dataDevice = {
  getDevice: 1,
  release: 2,
  /** Events. */
  newOffer: 0,
  enter: 1,
  leave: 2,
  drop: 4,
  selection: 5,
} as const;

export const dataOffer = {
  accept: 0,
  receive: 1,
  destroy: 2,
  finish: 3,
  setActions: 4,
  /** Events. */
  type: 0,
  action: 2,
  noAction: 0,
  copyAction: 1,
} as const;

export const surface = { create: 0, destroy: 0, attach: 1, damage: 2, commit: 6 } as const;

export const layer = {
  get: 0,
  overlay: 3,
  setSize: 0,
  setAnchor: 1,
  setExclusiveZone: 2,
  setMargin: 3,
  setKeyboard: 4,
  ackConfigure: 6,
  destroy: 7,
  configure: 0,
  closed: 1,
  topLeft: 1 | 4,
} as const;

export const seat = {
  getPointer: 0,
  getKeyboard: 1,
  capabilities: 0,
  hasPointer: 1,
  hasKeyboard: 2,
  enter: 0,
  leave: 1,
  motion: 2,
  button: 3,
  keymap: 0,
  keyEnter: 1,
  key: 3,
  modifiers: 4,
} as const;

export const management = {
  createConfiguration: 0,
  head: 0,
  done: 1,
  headName: 0,
  headMode: 3,
  headFinished: 9,
  modeSize: 0,
  modeFinished: 3,
  enableHead: 0,
  disableHead: 1,
  apply: 2,
  destroyConfiguration: 4,
  succeeded: 0,
  setMode: 0,
  setCustomMode: 1,
} as const;
