/**
 * A program with one window from which files or a text can be dragged, made with GTK 3, as file managers are. Its arguments: the
 * title of the window, what is dragged (`files` or `text`), and the addresses or the text. It prints when the pointer first enters
 * the window, and what happens to the drag.
 */
import { writeSync } from 'node:fs';
import koffi from 'koffi';

const [title = '', what = '', ...content] = process.argv.slice(2);
const gtk = koffi.load('libgtk-3.so.0');
const gobject = koffi.load('libgobject-2.0.so.0');
const say = (line: string): void => void writeSync(1, `${line}\n`);

const init = gtk.func('void gtk_init(void* count, void* args)');
const createWindow = gtk.func('void* gtk_window_new(int type)');
const setTitle = gtk.func('void gtk_window_set_title(void* window, str title)');
const move = gtk.func('void gtk_window_move(void* window, int x, int y)');
const setSize = gtk.func('void gtk_window_set_default_size(void* window, int width, int height)');
const setSource = gtk.func(
  'void gtk_drag_source_set(void* widget, int buttons, void* targets, int count, int actions)',
);
const addFiles = gtk.func('void gtk_drag_source_add_uri_targets(void* widget)');
const addText = gtk.func('void gtk_drag_source_add_text_targets(void* widget)');
const setUris = gtk.func('int gtk_selection_data_set_uris(void* data, const char** uris)');
const setText = gtk.func('int gtk_selection_data_set_text(void* data, str text, int length)');
const addEvents = gtk.func('void gtk_widget_add_events(void* widget, int events)');
const showAll = gtk.func('void gtk_widget_show_all(void* widget)');
const runMain = gtk.func('void gtk_main()');

const onData = koffi.proto(
  'void OnDragData(void* widget, void* drag, void* data, uint info, uint time, void* user)',
);
const onDrag = koffi.proto('void OnDrag(void* widget, void* drag, void* user)');
const onEvent = koffi.proto('int OnEvent(void* widget, void* event, void* user)');
const onFailed = koffi.proto('int OnDragFailed(void* widget, void* drag, int result, void* user)');

/** Connects a function to a signal of the window. */
function connect(widget: unknown, signal: string, type: typeof onData, listener: Function): void {
  const declared = `ulong g_signal_connect_data(void* object, str signal, ${type.name}* handler, void* user, void* destroy, int flags)`;
  gobject.func(declared)(widget, signal, koffi.register(listener, koffi.pointer(type)), null, null, 0);
}

const [leftButton, copies, moves, enters] = [1 << 8, 2, 4, 1 << 12];
let isEntered = false;
init(null, null);
const window: unknown = createWindow(0);
setTitle(window, title);
setSize(window, 200, 100);
move(window, 300, 200);
setSource(window, leftButton, null, 0, copies | moves);
if (what === 'files') addFiles(window);
else addText(window);
addEvents(window, enters);
connect(window, 'enter-notify-event', onEvent, () => {
  if (!isEntered) say('enter');
  isEntered = true;
  return 0;
});
connect(window, 'drag-begin', onDrag, () => say('begin'));
connect(window, 'drag-data-get', onData, (_widget: unknown, _drag: unknown, data: unknown) => {
  if (what === 'files') setUris(data, [...content, null]);
  else setText(data, content.join(' '), -1);
});
connect(window, 'drag-data-delete', onDrag, () => say('delete'));
connect(window, 'drag-failed', onFailed, (_widget: unknown, _drag: unknown, result: number) => {
  say(`failed ${result}`);
  return 0;
});
connect(window, 'drag-end', onDrag, () => say('end'));
showAll(window);
runMain();
