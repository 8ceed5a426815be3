/** Creates windows of a class that every system has; the agent draws their content itself. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Handle, WindowsApi } from './api/windows-api.ts';

export interface NewWindow {
  title?: string;
  style?: number;
  extendedStyle?: number;
  box?: Box;
  parent?: number;
}

const nowhere: Box = { x: 0, y: 0, width: 0, height: 0 };

/** Belongs to the main thread, which also delivers its messages. */
export function createWindow(api: WindowsApi, window: NewWindow): Handle {
  const { title = null, style = 0, extendedStyle = 0, box = nowhere, parent = 0 } = window;
  const { x, y, width, height } = box;
  const unsigned = style >>> 0;
  return api.CreateWindowExW(
    extendedStyle,
    'STATIC',
    title,
    unsigned,
    x,
    y,
    width,
    height,
    parent,
    0,
    0,
    null,
  );
}
