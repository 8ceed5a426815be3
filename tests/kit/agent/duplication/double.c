/*
 * Plays the parts of DXGI and Direct3D 11 that duplicate a desktop, with one monitor that the test paints. The tables of its objects
 * come from the headers of Windows, so a method that is called at a wrong place fails here as it does there.
 */
#define CINTERFACE
#include <initguid.h>
#include <d3d11.h>
#include <dxgi1_2.h>

#define EXPORT __declspec(dllexport)
#define MAX_PIXELS (2048 * 1024)
#define MAX_RECTS 16
/* Rows of textures have padding. */
#define PADDING 64

static UINT width, height;
static UINT screen[MAX_PIXELS], staging[MAX_PIXELS + PADDING * 1024];
/* What has changed, of which the first rows belong to the frame that is held. */
static RECT dirty[2][MAX_RECTS];
static DXGI_OUTDUPL_MOVE_RECT moved[2][MAX_RECTS];
static volatile UINT dirtyCount[2], movedCount[2];
enum { HELD, NEXT };
static volatile LONG isPainted, hasPointerMoved, isHeld, isDuplicated, live, guard;
static volatile LONG duplications, refusals, frames, copies;
/* The first frame of a duplication shows the pointer only. */
static volatile LONG isFirst;
static volatile HRESULT failure, refusal;

void *memset(void *to, int value, size_t count) {
  for (volatile char *at = to; count > 0; count--) *at++ = (char)value;
  return to;
}
void *memcpy(void *to, const void *from, size_t count) {
  volatile char *at = to;
  for (const char *source = from; count > 0; count--) *at++ = *source++;
  return to;
}
int memcmp(const void *one, const void *other, size_t count) {
  const char *at = one, *beside = other;
  for (; count > 0; count--)
    if (*at++ != *beside++) return 1;
  return 0;
}

static void lock(void) { while (__sync_lock_test_and_set(&guard, 1)) Sleep(0); }
static void unlock(void) { __sync_lock_release(&guard); }

/* Every reference that is handed out counts. */
static HRESULT give(void *object, void **to) {
  __sync_fetch_and_add(&live, 1);
  *to = object;
  return S_OK;
}
static ULONG STDMETHODCALLTYPE release(void *this) { return (ULONG)__sync_sub_and_fetch(&live, 1); }

static HRESULT STDMETHODCALLTYPE queryTexture(IDXGIResource *this, REFIID id, void **to);
static IDXGIResourceVtbl frameTable = { .QueryInterface = queryTexture, .Release = (void *)release };
static IDXGIResource frame = { &frameTable };
static ID3D11Texture2DVtbl textureTable = { .Release = (void *)release };
static ID3D11Texture2D frameTexture = { &textureTable }, stagingTexture = { &textureTable };

static HRESULT STDMETHODCALLTYPE queryTexture(IDXGIResource *this, REFIID id, void **to) {
  return IsEqualGUID(id, &IID_ID3D11Texture2D) ? give(&frameTexture, to) : E_NOINTERFACE;
}

static HRESULT STDMETHODCALLTYPE acquire(IDXGIOutputDuplication *this, UINT timeout, DXGI_OUTDUPL_FRAME_INFO *info, IDXGIResource **to) {
  if (isHeld) return DXGI_ERROR_INVALID_CALL;
  for (UINT waited = 0;; waited++) {
    if (failure) {
      HRESULT result = failure;
      failure = 0;
      return result;
    }
    if (isPainted || hasPointerMoved) break;
    if (waited >= timeout) return DXGI_ERROR_WAIT_TIMEOUT;
    Sleep(1);
  }
  lock();
  memset(info, 0, sizeof *info);
  isHeld = 1;
  if (isFirst) {
    isFirst = 0;
    info->LastMouseUpdateTime.QuadPart = 1;
    unlock();
    return give(&frame, (void **)to);
  }
  memcpy(dirty[HELD], dirty[NEXT], sizeof dirty[NEXT]);
  memcpy(moved[HELD], moved[NEXT], sizeof moved[NEXT]);
  dirtyCount[HELD] = dirtyCount[NEXT];
  movedCount[HELD] = movedCount[NEXT];
  info->LastPresentTime.QuadPart = isPainted;
  info->LastMouseUpdateTime.QuadPart = hasPointerMoved;
  info->TotalMetadataBufferSize = dirtyCount[HELD] * sizeof(RECT) + movedCount[HELD] * sizeof(DXGI_OUTDUPL_MOVE_RECT);
  dirtyCount[NEXT] = movedCount[NEXT] = 0;
  isPainted = hasPointerMoved = 0;
  unlock();
  return give(&frame, (void **)to);
}
static HRESULT STDMETHODCALLTYPE getDirty(IDXGIOutputDuplication *this, UINT size, RECT *to, UINT *used) {
  *used = dirtyCount[HELD] * sizeof(RECT);
  if (!isHeld || *used > size) return DXGI_ERROR_MORE_DATA;
  memcpy(to, dirty[HELD], *used);
  return S_OK;
}
static HRESULT STDMETHODCALLTYPE getMoved(IDXGIOutputDuplication *this, UINT size, DXGI_OUTDUPL_MOVE_RECT *to, UINT *used) {
  *used = movedCount[HELD] * sizeof(DXGI_OUTDUPL_MOVE_RECT);
  if (!isHeld || *used > size) return DXGI_ERROR_MORE_DATA;
  memcpy(to, moved[HELD], *used);
  return S_OK;
}
static HRESULT STDMETHODCALLTYPE releaseFrame(IDXGIOutputDuplication *this) {
  if (!isHeld) return DXGI_ERROR_INVALID_CALL;
  isHeld = 0;
  frames++;
  return S_OK;
}
static ULONG STDMETHODCALLTYPE releaseDuplication(IDXGIOutputDuplication *this) {
  isDuplicated = 0;
  return release(this);
}
static IDXGIOutputDuplicationVtbl duplicationTable = {
  .Release = releaseDuplication, .AcquireNextFrame = acquire, .GetFrameDirtyRects = getDirty,
  .GetFrameMoveRects = getMoved, .ReleaseFrame = releaseFrame,
};
static IDXGIOutputDuplication duplication = { &duplicationTable };

static HRESULT STDMETHODCALLTYPE createTexture(ID3D11Device *this, const D3D11_TEXTURE2D_DESC *shape, const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture2D **to) {
  if (shape->Width != width || shape->Height != height || shape->Format != DXGI_FORMAT_B8G8R8A8_UNORM) return E_INVALIDARG;
  if (shape->Usage != D3D11_USAGE_STAGING || shape->CPUAccessFlags != D3D11_CPU_ACCESS_READ) return E_INVALIDARG;
  if (shape->MipLevels != 1 || shape->ArraySize != 1 || shape->SampleDesc.Count != 1) return E_INVALIDARG;
  return give(&stagingTexture, (void **)to);
}
static ID3D11DeviceVtbl deviceTable = { .Release = (void *)release, .CreateTexture2D = createTexture };
static ID3D11Device device = { &deviceTable };

static void STDMETHODCALLTYPE copyRegion(ID3D11DeviceContext *this, ID3D11Resource *to, UINT toPart, UINT x, UINT y, UINT z, ID3D11Resource *from, UINT fromPart, const D3D11_BOX *box) {
  copies++;
  if ((void *)to != &stagingTexture || (void *)from != &frameTexture || !isHeld || box->front != 0 || box->back != 1) return;
  for (UINT row = 0; row < box->bottom - box->top; row++)
    for (UINT column = 0; column < box->right - box->left; column++)
      staging[(y + row) * (width + PADDING) + x + column] = screen[(box->top + row) * width + box->left + column];
}
static HRESULT STDMETHODCALLTYPE map(ID3D11DeviceContext *this, ID3D11Resource *texture, UINT part, D3D11_MAP kind, UINT flags, D3D11_MAPPED_SUBRESOURCE *to) {
  if ((void *)texture != &stagingTexture || kind != D3D11_MAP_READ) return E_INVALIDARG;
  to->pData = staging;
  to->RowPitch = (width + PADDING) * 4;
  return S_OK;
}
static void STDMETHODCALLTYPE unmap(ID3D11DeviceContext *this, ID3D11Resource *texture, UINT part) {
  memset(staging, 0x55, sizeof staging);
}
static ID3D11DeviceContextVtbl contextTable = { .Release = (void *)release, .Map = map, .Unmap = unmap, .CopySubresourceRegion = copyRegion };
static ID3D11DeviceContext context = { &contextTable };

static HRESULT STDMETHODCALLTYPE queryOutput(IDXGIOutput1 *this, REFIID id, void **to) {
  return IsEqualGUID(id, &IID_IDXGIOutput1) ? give(this, to) : E_NOINTERFACE;
}
static HRESULT STDMETHODCALLTYPE describeOutput(IDXGIOutput1 *this, DXGI_OUTPUT_DESC *to) {
  memset(to, 0, sizeof *to);
  to->DesktopCoordinates.right = (LONG)width;
  to->DesktopCoordinates.bottom = (LONG)height;
  to->AttachedToDesktop = TRUE;
  to->Rotation = DXGI_MODE_ROTATION_IDENTITY;
  return S_OK;
}
static void changed(UINT x, UINT y, UINT columns, UINT rows) {
  dirty[NEXT][dirtyCount[NEXT]++] = (RECT){ (LONG)x, (LONG)y, (LONG)(x + columns), (LONG)(y + rows) };
  isPainted = 1;
}
static HRESULT STDMETHODCALLTYPE duplicate(IDXGIOutput1 *this, IUnknown *with, IDXGIOutputDuplication **to) {
  if ((void *)with != &device) return E_INVALIDARG;
  /* A program can duplicate a monitor only once at a time. */
  HRESULT result = isDuplicated ? E_INVALIDARG : refusal;
  if (result) {
    refusals++;
    return result;
  }
  duplications++;
  isDuplicated = isFirst = 1;
  isHeld = 0;
  dirtyCount[NEXT] = movedCount[NEXT] = 0;
  changed(0, 0, width, height);
  return give(&duplication, (void **)to);
}
static IDXGIOutput1Vtbl outputTable = {
  .QueryInterface = queryOutput, .Release = (void *)release, .GetDesc = describeOutput, .DuplicateOutput = duplicate,
};
static IDXGIOutput1 output = { &outputTable };

static HRESULT STDMETHODCALLTYPE enumOutputs(IDXGIAdapter1 *this, UINT number, IDXGIOutput **to) {
  return number == 0 ? give(&output, (void **)to) : DXGI_ERROR_NOT_FOUND;
}
static IDXGIAdapter1Vtbl adapterTable = { .Release = (void *)release, .EnumOutputs = enumOutputs };
static IDXGIAdapter1 adapter = { &adapterTable };

static HRESULT STDMETHODCALLTYPE enumAdapters(IDXGIFactory1 *this, UINT number, IDXGIAdapter1 **to) {
  return number == 0 ? give(&adapter, (void **)to) : DXGI_ERROR_NOT_FOUND;
}
static IDXGIFactory1Vtbl factoryTable = { .Release = (void *)release, .EnumAdapters1 = enumAdapters };
static IDXGIFactory1 factory = { &factoryTable };

EXPORT HRESULT WINAPI doubleFactory(REFIID id, void **to) {
  return IsEqualGUID(id, &IID_IDXGIFactory1) ? give(&factory, to) : E_NOINTERFACE;
}
EXPORT HRESULT WINAPI doubleDevice(IDXGIAdapter *with, D3D_DRIVER_TYPE kind, HMODULE software, UINT flags, const D3D_FEATURE_LEVEL *levels,
  UINT levelCount, UINT version, void **to, D3D_FEATURE_LEVEL *level, void **contextTo) {
  if ((void *)with != &adapter || kind != D3D_DRIVER_TYPE_UNKNOWN || version != D3D11_SDK_VERSION) return E_INVALIDARG;
  give(&device, to);
  return give(&context, contextTo);
}

/* What the test does with the monitor. */
EXPORT void WINAPI doubleSize(UINT columns, UINT rows) {
  width = columns;
  height = rows;
}
EXPORT void WINAPI doublePaint(UINT x, UINT y, UINT columns, UINT rows, UINT colour) {
  lock();
  for (UINT row = y; row < y + rows; row++)
    for (UINT column = x; column < x + columns; column++) screen[row * width + column] = 0xff000000 | colour;
  changed(x, y, columns, rows);
  unlock();
}
/* Moves content down by its own height. */
EXPORT void WINAPI doubleMove(UINT x, UINT y, UINT columns, UINT rows) {
  lock();
  for (UINT row = y; row < y + rows; row++)
    for (UINT column = x; column < x + columns; column++) screen[(row + rows) * width + column] = screen[row * width + column];
  moved[NEXT][movedCount[NEXT]++] = (DXGI_OUTDUPL_MOVE_RECT){
    { (LONG)x, (LONG)y }, { (LONG)x, (LONG)(y + rows), (LONG)(x + columns), (LONG)(y + rows + rows) },
  };
  isPainted = 1;
  unlock();
}
EXPORT void WINAPI doublePointer(void) { hasPointerMoved = 1; }
EXPORT void WINAPI doubleFail(HRESULT code) { failure = code; }
EXPORT void WINAPI doubleRefuse(HRESULT code) { refusal = code; }
EXPORT LONG WINAPI doubleLive(void) { return live; }
EXPORT LONG WINAPI doubleDuplications(void) { return duplications; }
EXPORT LONG WINAPI doubleRefusals(void) { return refusals; }
EXPORT LONG WINAPI doubleFrames(void) { return frames; }
EXPORT LONG WINAPI doubleCopies(void) { return copies; }
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved) { return TRUE; }
