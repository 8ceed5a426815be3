/** The interfaces of DXGI and Direct3D 11 that the agent uses, from Microsoft's headers: places of methods, identifiers, codes and structures. */

export const ids = {
  factory: '770aae78-f26f-4dba-a829-253c83d1b387',
  output: '00cddea8-939b-4b83-a340-a685226666cc',
  texture: '6f15aaf2-d208-4e89-9ab4-489535d34f9c',
} as const;

/** IDXGIFactory1. */
export const factoryMethods = { enumAdapters: [12, 'uint, void*'] } as const;
/** IDXGIAdapter1. */
export const adapterMethods = { enumOutputs: [7, 'uint, void*'] } as const;
/** IDXGIOutput1. */
export const outputMethods = { getDesc: [7, 'void*'], duplicateOutput: [22, 'uintptr, void*'] } as const;
/** IDXGIOutputDuplication. */
export const duplicationMethods = {
  acquireNextFrame: [8, 'uint, void*, void*'],
  getDirtyRects: [9, 'uint, void*, void*'],
  getMoveRects: [10, 'uint, void*, void*'],
  releaseFrame: [14, ''],
} as const;
/** ID3D11Device. */
export const deviceMethods = { createTexture: [5, 'void*, void*, void*'] } as const;
/** ID3D11DeviceContext. */
export const contextMethods = {
  map: [14, 'uintptr, uint, uint, uint, void*'],
  unmap: [15, 'uintptr, uint'],
  copyRegion: [46, 'uintptr, uint, uint, uint, uint, uintptr, uint, void*'],
} as const;
/** For objects that are only passed to other calls. */
export const noMethods = {} as const;

export const codes = {
  notFound: 0x887a_0002,
  waitTimeout: 0x887a_0027,
} as const;

/** Offsets in DXGI_OUTPUT_DESC. */
export const outputDesc = { bytes: 96, box: 64, attached: 80, rotation: 84 } as const;
/** Offsets in DXGI_OUTDUPL_FRAME_INFO. */
export const frameInfo = { bytes: 48, lastPresentTime: 0, metadataBytes: 40 } as const;
/** Offsets in DXGI_OUTDUPL_MOVE_RECT, which begins with the point that the content comes from. */
export const moveRect = { bytes: 24, destination: 8 } as const;
export const rectBytes = 16;
/** Offsets in D3D11_MAPPED_SUBRESOURCE. */
export const mapped = { bytes: 16, address: 0, rowBytes: 8 } as const;
