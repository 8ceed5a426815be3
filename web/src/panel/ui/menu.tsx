/** A menu below its button; wraps the menu that all pages of Drawbridge share. */
import { useEffect, useRef } from 'preact/hooks';
import type { IconName } from '../../ui/icons.ts';
import { menu, renameMenu, type MenuPart } from '../../ui/menu.ts';

interface MenuProps {
  icon: IconName;
  title: string;
  /** Text beside the icon. */
  label?: string;
  /** Called each time the menu opens. */
  parts: () => readonly MenuPart[];
}

export function Menu({ icon, title, label, parts }: MenuProps) {
  const containerRef = useRef<HTMLSpanElement>(null);
  const latest = useRef(parts);
  latest.current = parts;
  useEffect(() => {
    containerRef.current?.replaceChildren(menu({ icon, title, label }, () => latest.current()));
  }, [icon, label]);
  useEffect(() => renameMenu(containerRef.current!.firstElementChild!, title), [title]);
  return <span ref={containerRef} class="panel-menu" />;
}
