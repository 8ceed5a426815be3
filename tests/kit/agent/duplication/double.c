/*
 * Plays the parts of DXGI and Direct3D 11 that duplicate a desktop, with up to two monitors that the test paints. The tables of its
 * objects come from the headers of Windows, so a method that is called at a wrong place fails here as it does there.
 */
#define CINTERFACE
#include <initguid.h>
#include <d3d11.h>
#include <dxgi1_2.h>
#include "freestanding.h"

#define EXPORT __declspec(dllexport)
#define MONITORS 2
#define MAX_PIXELS (2048 * 1024)
#define MAX_RECTS 16
/* Rows of textures have padding. */
#define PADDING 64

typedef struct { UINT dirtyCount, movedCount; RECT dirty[MAX_RECTS]; DXGI_OUTDUPL_MOVE_RECT moved[MAX_RECTS]; } Changes;
/* Each object is the first of its kind in a monitor, so that its monitor can be found. */
typedef struct {
  IDXGIOutput1 output;
  IDXGIOutputDuplication duplication;
  IDXGIResource frame;
  ID3D11Texture2D frameTexture, stagingTexture;
  /* On the desktop. */
  LONG x, y;
  UINT width, height;
  /* What has changed in the frame that is held, and since then. */
  Changes held, next;
  volatile LONG isPainted, hasPointerMoved, isHeld, isDuplicated;
  /* The first frame of a duplication shows the pointer only. */
  volatile LONG isFirst;
  UINT screen[MAX_PIXELS], staging[MAX_PIXELS + PADDING * 1024];
} Monitor;
#define MONITOR(object, member) ((Monitor *)((char *)(object) - offsetof(Monitor, member)))

static Monitor monitors[MONITORS];
static UINT monitorCount, stagingCount;
static volatile LONG live, guard, duplications, refusals, frames, copies;
static volatile HRESULT failure, refusal;

static void lock(void) { while (__sync_lock_test_and_set(&guard, 1)) Sleep(0); }
static void unlock(void) { __sync_lock_release(&guard); }

/* Every reference that is handed out counts. */
static HRESULT give(void *object, void **to) {
  __sync_fetch_and_add(&live, 1);
  *to = object;
  return S_OK;
}
static ULONG STDMETHODCALLTYPE release(void *this) { return (ULONG)__sync_sub_and_fetch(&live, 1); }

static HRESULT STDMETHODCALLTYPE queryTexture(IDXGIResource *this, REFIID id, void **to) {
  return IsEqualGUID(id, &IID_ID3D11Texture2D) ? give(&MONITOR(this, frame)->frameTexture, to) : E_NOINTERFACE;
}
static IDXGIResourceVtbl frameTable = { .QueryInterface = queryTexture, .Release = (void *)release };
static ID3D11Texture2DVtbl textureTable = { .Release = (void *)release };

static HRESULT STDMETHODCALLTYPE acquire(IDXGIOutputDuplication *this, UINT timeout, DXGI_OUTDUPL_FRAME_INFO *info, IDXGIResource **to) {
  Monitor *monitor = MONITOR(this, duplication);
  if (monitor->isHeld) return DXGI_ERROR_INVALID_CALL;
  for (UINT waited = 0;; waited++) {
    if (failure) {
      HRESULT result = failure;
      failure = 0;
      return result;
    }
    if (monitor->isPainted || monitor->hasPointerMoved) break;
    if (waited >= timeout) return DXGI_ERROR_WAIT_TIMEOUT;
    Sleep(1);
  }
  lock();
  memset(info, 0, sizeof *info);
  monitor->isHeld = 1;
  if (monitor->isFirst) {
    monitor->isFirst = 0;
    info->LastMouseUpdateTime.QuadPart = 1;
    unlock();
    return give(&monitor->frame, (void **)to);
  }
  monitor->held = monitor->next;
  info->LastPresentTime.QuadPart = monitor->isPainted;
  info->LastMouseUpdateTime.QuadPart = monitor->hasPointerMoved;
  info->TotalMetadataBufferSize = monitor->held.dirtyCount * sizeof(RECT) + monitor->held.movedCount * sizeof(DXGI_OUTDUPL_MOVE_RECT);
  monitor->next.dirtyCount = monitor->next.movedCount = 0;
  monitor->isPainted = monitor->hasPointerMoved = 0;
  unlock();
  return give(&monitor->frame, (void **)to);
}
static HRESULT STDMETHODCALLTYPE getDirty(IDXGIOutputDuplication *this, UINT size, RECT *to, UINT *used) {
  Monitor *monitor = MONITOR(this, duplication);
  *used = monitor->held.dirtyCount * sizeof(RECT);
  if (!monitor->isHeld || *used > size) return DXGI_ERROR_MORE_DATA;
  memcpy(to, monitor->held.dirty, *used);
  return S_OK;
}
static HRESULT STDMETHODCALLTYPE getMoved(IDXGIOutputDuplication *this, UINT size, DXGI_OUTDUPL_MOVE_RECT *to, UINT *used) {
  Monitor *monitor = MONITOR(this, duplication);
  *used = monitor->held.movedCount * sizeof(DXGI_OUTDUPL_MOVE_RECT);
  if (!monitor->isHeld || *used > size) return DXGI_ERROR_MORE_DATA;
  memcpy(to, monitor->held.moved, *used);
  return S_OK;
}
static HRESULT STDMETHODCALLTYPE releaseFrame(IDXGIOutputDuplication *this) {
  Monitor *monitor = MONITOR(this, duplication);
  if (!monitor->isHeld) return DXGI_ERROR_INVALID_CALL;
  monitor->isHeld = 0;
  frames++;
  return S_OK;
}
static ULONG STDMETHODCALLTYPE releaseDuplication(IDXGIOutputDuplication *this) {
  MONITOR(this, duplication)->isDuplicated = 0;
  return release(this);
}
static IDXGIOutputDuplicationVtbl duplicationTable = {
  .Release = releaseDuplication, .AcquireNextFrame = acquire, .GetFrameDirtyRects = getDirty,
  .GetFrameMoveRects = getMoved, .ReleaseFrame = releaseFrame,
};

/* The textures belong to the monitors one after the other. */
static HRESULT STDMETHODCALLTYPE createTexture(ID3D11Device *this, const D3D11_TEXTURE2D_DESC *shape, const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture2D **to) {
  Monitor *monitor = &monitors[stagingCount++ % monitorCount];
  if (shape->Width != monitor->width || shape->Height != monitor->height || shape->Format != DXGI_FORMAT_B8G8R8A8_UNORM) return E_INVALIDARG;
  if (shape->Usage != D3D11_USAGE_STAGING || shape->CPUAccessFlags != D3D11_CPU_ACCESS_READ) return E_INVALIDARG;
  if (shape->MipLevels != 1 || shape->ArraySize != 1 || shape->SampleDesc.Count != 1) return E_INVALIDARG;
  return give(&monitor->stagingTexture, (void **)to);
}
static ID3D11DeviceVtbl deviceTable = { .Release = (void *)release, .CreateTexture2D = createTexture };
static ID3D11Device device = { &deviceTable };

static void STDMETHODCALLTYPE copyRegion(ID3D11DeviceContext *this, ID3D11Resource *to, UINT toPart, UINT x, UINT y, UINT z, ID3D11Resource *from, UINT fromPart, const D3D11_BOX *box) {
  Monitor *monitor = MONITOR(to, stagingTexture);
  copies++;
  if ((void *)from != &monitor->frameTexture || !monitor->isHeld || box->front != 0 || box->back != 1) return;
  for (UINT row = 0; row < box->bottom - box->top; row++)
    for (UINT column = 0; column < box->right - box->left; column++)
      monitor->staging[(y + row) * (monitor->width + PADDING) + x + column] = monitor->screen[(box->top + row) * monitor->width + box->left + column];
}
static HRESULT STDMETHODCALLTYPE map(ID3D11DeviceContext *this, ID3D11Resource *texture, UINT part, D3D11_MAP kind, UINT flags, D3D11_MAPPED_SUBRESOURCE *to) {
  Monitor *monitor = MONITOR(texture, stagingTexture);
  if (kind != D3D11_MAP_READ) return E_INVALIDARG;
  to->pData = monitor->staging;
  to->RowPitch = (monitor->width + PADDING) * 4;
  return S_OK;
}
static void STDMETHODCALLTYPE unmap(ID3D11DeviceContext *this, ID3D11Resource *texture, UINT part) {
  memset(MONITOR(texture, stagingTexture)->staging, 0x55, sizeof monitors[0].staging);
}
static ID3D11DeviceContextVtbl contextTable = { .Release = (void *)release, .Map = map, .Unmap = unmap, .CopySubresourceRegion = copyRegion };
static ID3D11DeviceContext context = { &contextTable };

static HRESULT STDMETHODCALLTYPE queryOutput(IDXGIOutput1 *this, REFIID id, void **to) {
  return IsEqualGUID(id, &IID_IDXGIOutput1) ? give(this, to) : E_NOINTERFACE;
}
static HRESULT STDMETHODCALLTYPE describeOutput(IDXGIOutput1 *this, DXGI_OUTPUT_DESC *to) {
  Monitor *monitor = MONITOR(this, output);
  memset(to, 0, sizeof *to);
  to->DesktopCoordinates = (RECT){ monitor->x, monitor->y, monitor->x + (LONG)monitor->width, monitor->y + (LONG)monitor->height };
  to->AttachedToDesktop = TRUE;
  to->Rotation = DXGI_MODE_ROTATION_IDENTITY;
  return S_OK;
}
static void changed(Monitor *monitor, UINT x, UINT y, UINT columns, UINT rows) {
  monitor->next.dirty[monitor->next.dirtyCount++] = (RECT){ (LONG)x, (LONG)y, (LONG)(x + columns), (LONG)(y + rows) };
  monitor->isPainted = 1;
}
static HRESULT STDMETHODCALLTYPE duplicate(IDXGIOutput1 *this, IUnknown *with, IDXGIOutputDuplication **to) {
  Monitor *monitor = MONITOR(this, output);
  if ((void *)with != &device) return E_INVALIDARG;
  /* A program can duplicate a monitor only once at a time. */
  HRESULT result = monitor->isDuplicated ? E_INVALIDARG : refusal;
  if (result) {
    refusals++;
    return result;
  }
  duplications++;
  monitor->isDuplicated = monitor->isFirst = 1;
  monitor->isHeld = 0;
  monitor->next.dirtyCount = monitor->next.movedCount = 0;
  changed(monitor, 0, 0, monitor->width, monitor->height);
  return give(&monitor->duplication, (void **)to);
}
static IDXGIOutput1Vtbl outputTable = {
  .QueryInterface = queryOutput, .Release = (void *)release, .GetDesc = describeOutput, .DuplicateOutput = duplicate,
};

static HRESULT STDMETHODCALLTYPE enumOutputs(IDXGIAdapter1 *this, UINT number, IDXGIOutput **to) {
  if (number == 0) stagingCount = 0;
  return number < monitorCount ? give(&monitors[number].output, (void **)to) : DXGI_ERROR_NOT_FOUND;
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

/* What the test does with the monitors. */
EXPORT void WINAPI doubleMonitor(UINT number, int x, int y, UINT columns, UINT rows) {
  Monitor *monitor = &monitors[number];
  monitor->output.lpVtbl = &outputTable;
  monitor->duplication.lpVtbl = &duplicationTable;
  monitor->frame.lpVtbl = &frameTable;
  monitor->frameTexture.lpVtbl = monitor->stagingTexture.lpVtbl = &textureTable;
  monitor->x = x;
  monitor->y = y;
  monitor->width = columns;
  monitor->height = rows;
  monitorCount = number + 1;
}
EXPORT void WINAPI doublePaint(UINT number, UINT x, UINT y, UINT columns, UINT rows, UINT colour) {
  Monitor *monitor = &monitors[number];
  lock();
  for (UINT row = y; row < y + rows; row++)
    for (UINT column = x; column < x + columns; column++) monitor->screen[row * monitor->width + column] = 0xff000000 | colour;
  changed(monitor, x, y, columns, rows);
  unlock();
}
/* Moves content down by its own height. */
EXPORT void WINAPI doubleMove(UINT x, UINT y, UINT columns, UINT rows) {
  Monitor *monitor = &monitors[0];
  lock();
  for (UINT row = y; row < y + rows; row++)
    for (UINT column = x; column < x + columns; column++) monitor->screen[(row + rows) * monitor->width + column] = monitor->screen[row * monitor->width + column];
  monitor->next.moved[monitor->next.movedCount++] = (DXGI_OUTDUPL_MOVE_RECT){
    { (LONG)x, (LONG)y }, { (LONG)x, (LONG)(y + rows), (LONG)(x + columns), (LONG)(y + rows + rows) },
  };
  monitor->isPainted = 1;
  unlock();
}
EXPORT void WINAPI doublePointer(void) { monitors[0].hasPointerMoved = 1; }
EXPORT void WINAPI doubleFail(HRESULT code) { failure = code; }
EXPORT void WINAPI doubleRefuse(HRESULT code) { refusal = code; }
EXPORT LONG WINAPI doubleLive(void) { return live; }
EXPORT LONG WINAPI doubleDuplications(void) { return duplications; }
EXPORT LONG WINAPI doubleRefusals(void) { return refusals; }
EXPORT LONG WINAPI doubleFrames(void) { return frames; }
EXPORT LONG WINAPI doubleCopies(void) { return copies; }
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved) { return TRUE; }
