/** A window that fills the desktop of another user and records what happens to it, one line for each event. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The colour of the window. */
export const recordingWindowColour = 0x224466;

/**
 * The pointer, a drag, files that are dropped, a turn of the wheel, each change of the text field and of the clipboard, and each key: first its keycode, then its
 * symbol with Shift (1), Control (4), Alt (8) and Super as they are held. F9 copies a word.
 */
const windowProgram = `
imports.gi.versions.Gtk = '4.0';
const { Gtk, Gdk, Gio, GLib } = imports.gi;
const file = Gio.File.new_for_path(GLib.getenv('HOME') + '/events');
const output = file.append_to(Gio.FileCreateFlags.NONE, null);
const record = (line) => output.write_all(line + '\\n', null);
Gtk.init();
const style = new Gtk.CssProvider();
style.load_from_data('window, entry { background: #224466; color: #224466; } * { caret-color: #224466; outline: none; border: none; box-shadow: none; }', -1);
Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, 900);
const window = new Gtk.Window({ decorated: false });
const entry = new Gtk.Entry({ vexpand: true });
entry.connect('changed', () => record('text ' + entry.text));
const drag = new Gtk.GestureDrag({ propagation_phase: Gtk.PropagationPhase.CAPTURE });
drag.connect('drag-end', (_, x, y) => record('drag ' + Math.round(x) + ' ' + Math.round(y)));
const scroll = new Gtk.EventControllerScroll({ flags: Gtk.EventControllerScrollFlags.BOTH_AXES });
scroll.connect('scroll', (_, x, y) => { record('scroll ' + x + ' ' + y); return true; });
const motion = new Gtk.EventControllerMotion();
motion.connect('motion', (_, x, y) => record('pointer ' + x + ' ' + y));
const clipboard = Gdk.Display.get_default().get_clipboard();
clipboard.connect('changed', () => {
  if (!clipboard.is_local()) clipboard.read_text_async(null, (_, result) => record('clipboard ' + clipboard.read_text_finish(result)));
});
const keys = new Gtk.EventControllerKey({ propagation_phase: Gtk.PropagationPhase.CAPTURE });
keys.connect('key-pressed', (_, symbol, code, state) => {
  record('keycode ' + code);
  record('key ' + Gdk.keyval_name(symbol) + ' ' + (state & 13) + (state & Gdk.ModifierType.SUPER_MASK ? ' Super' : ''));
  if (symbol === Gdk.KEY_F9) clipboard.set_content(Gdk.ContentProvider.new_for_value('from the device äж漢'));
  return false;
});
const files = Gtk.DropTarget.new(Gdk.FileList.$gtype, Gdk.DragAction.COPY);
files.connect('drop', (_, list) => { record('files ' + list.get_files().map((each) => each.get_uri()).join(' ')); return true; });
for (const controller of [drag, scroll, motion, keys, files]) window.add_controller(controller);
window.set_child(entry);
window.connect('notify::is-active', () => record('active ' + window.is_active));
window.fullscreen();
window.present();
record('shown');
new GLib.MainLoop(null, false).run();
`;

export interface RecordingWindow {
  /** The path of the program, for gjs. */
  program: string;
  /** What the window recorded. */
  events(): string[];
}

/** `folder`: the home folder of the user. */
export function writeRecordingWindow(folder: string): RecordingWindow {
  const program = join(folder, 'window.js');
  writeFileSync(program, windowProgram);
  return {
    program,
    events() {
      const file = join(folder, 'events');
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    },
  };
}
