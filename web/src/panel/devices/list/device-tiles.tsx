/** The device list as tiles with screen previews; only the visible tiles are rendered. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { useVirtualRows } from '../../ui/tables/virtual-rows.ts';
import { DeviceActions, dragDevice, SelectBox } from './device-parts.tsx';
import { readableId, type Device } from '../device.ts';
import { osName } from '../os.ts';
import { Preview } from '../preview.tsx';
import { OnlineDot, RestrictionBadge, DeviceState } from '../device-state.tsx';

/** All rows have the same height, so that the visible ones can be calculated; the style sheet sets the same height. */
const rowHeight = 286;
const minTileWidth = 250;

const Tile = ({ device }: { device: Device }) => (
  <li
    class="tile"
    draggable={dragDevice.isOffered(device)}
    onDragStart={(event) => dragDevice.start(device, event)}
  >
    <a href={`/panel/devices/${device.id}`} tabIndex={-1} aria-hidden="true">
      <Preview device={device} />
    </a>
    <span class="cell-name">
      <SelectBox device={device} />
      <OnlineDot online={device.online} />
      <a href={`/panel/devices/${device.id}`}>{device.name}</a>
      <RestrictionBadge {...device} />
    </span>
    <span class="quiet tile-line">
      <DeviceState {...device} /> ·{' '}
      {[readableId(device.device_id), osName(device.os)].filter(Boolean).join(' · ')}
    </span>
    <DeviceActions device={device} />
  </li>
);

/** The number of tiles per row. */
function useColumns(): { count: number; measure: (element: HTMLDivElement | null) => void } {
  const [count, setCount] = useState(3);
  const [element, measure] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setCount(Math.max(1, Math.floor((entry!.contentRect.width + 14) / (minTileWidth + 14)))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return { count, measure };
}

export function DeviceTiles({ devices }: { devices: readonly Device[] }) {
  const { count, measure } = useColumns();
  const rows = Math.ceil(devices.length / count);
  const { containerRef, first, last } = useVirtualRows({ count: rows, rowHeight, maxUnvirtualized: 8 });
  return (
    <div ref={measure}>
      <div ref={containerRef}>
        <div aria-hidden="true" style={{ height: `${first * rowHeight}px` }} />
        <ul
          class="tiles"
          aria-label={t.devices.table}
          style={{ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` }}
        >
          {devices.slice(first * count, last * count).map((device) => (
            <Tile key={device.id} device={device} />
          ))}
        </ul>
        <div aria-hidden="true" style={{ height: `${(rows - last) * rowHeight}px` }} />
      </div>
    </div>
  );
}
