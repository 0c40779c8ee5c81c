#!/usr/bin/env python3
"""Finds, closes and drops files on an X11 window of a process, as a window manager and a file manager do.

usage: xwindow.py manager [--timeout S]               waits until a window manager is at work
       xwindow.py wait  PID [--timeout S]             waits for a mapped window, prints its id and size
       xwindow.py drop  PID FILE... [--timeout S]     drops files on its middle (XDND, version 5)
       xwindow.py close PID                           asks it to close
needs: python3-xlib, DISPLAY
Exit code: 0 done, 1 no such window or no answer in time.
"""
import argparse
import os
import select
import sys
import time
import urllib.parse

from Xlib import X, Xatom, display
from Xlib.error import XError
from Xlib.protocol import event


class Screen:
    def __init__(self):
        self.display = display.Display()
        self.root = self.display.screen().root
        self.atom = self.display.intern_atom

    def windows_of(self, pid):
        """Mapped windows whose process id is `pid`, outermost first."""
        queue = [self.root]
        while queue:
            window = queue.pop(0)
            try:
                queue.extend(window.query_tree().children)
                owner = window.get_full_property(self.atom("_NET_WM_PID"), Xatom.CARDINAL)
                mapped = window.get_attributes().map_state == X.IsViewable
            except XError:
                continue
            if owner and owner.value[0] == pid and mapped:
                yield window

    def window_of(self, pid, timeout):
        end = time.monotonic() + timeout
        while True:
            for window in self.windows_of(pid):
                return window
            if time.monotonic() > end:
                sys.exit(f"process {pid} shows no window after {timeout:.0f} s")
            time.sleep(0.1)

    def await_manager(self, timeout):
        """Waits for the window manager: a window mapped while it starts may stay hidden."""
        end = time.monotonic() + timeout
        while not self.root.get_full_property(self.atom("_NET_SUPPORTING_WM_CHECK"), Xatom.WINDOW):
            if time.monotonic() > end:
                sys.exit(f"no window manager after {timeout:.0f} s")
            time.sleep(0.05)

    def message(self, target, name, *data):
        """Sends `target` a client message of five longs."""
        longs = (list(data) + [0] * 5)[:5]
        target.send_event(event.ClientMessage(window=target, client_type=self.atom(name), data=(32, longs)))
        self.display.flush()


class Drag:
    """One drag of files: owns the selection, sends the list on request, records the target's answers."""

    def __init__(self, screen, target, files):
        self.screen, self.target = screen, target
        self.uri_list = screen.atom("text/uri-list")
        uris = ("file://" + urllib.parse.quote(os.path.abspath(file)) for file in files)
        self.body = "".join(uri + "\r\n" for uri in uris).encode()
        self.accepts = self.finished = None
        self.window = screen.root.create_window(-10, -10, 1, 1, 0, X.CopyFromParent)
        self.window.set_selection_owner(screen.atom("XdndSelection"), X.CurrentTime)

    def say(self, name, *data):
        self.screen.message(self.target, name, self.window.id, *data)

    def answer(self, ask):
        known = ask.target == self.uri_list
        prop = ask.property or ask.target
        if known:
            ask.requestor.change_property(prop, self.uri_list, 8, self.body)
        elif ask.target == self.screen.atom("TARGETS"):
            known = True
            ask.requestor.change_property(prop, Xatom.ATOM, 32, [self.uri_list])
        ask.requestor.send_event(event.SelectionNotify(
            time=ask.time, requestor=ask.requestor, selection=ask.selection, target=ask.target,
            property=prop if known else X.NONE,
        ))
        self.screen.display.flush()

    def wait(self, done, timeout):
        end = time.monotonic() + timeout
        while not done():
            left = end - time.monotonic()
            if left <= 0:
                return False
            select.select([self.screen.display.fileno()], [], [], min(left, 0.05))
            while self.screen.display.pending_events():
                self.take(self.screen.display.next_event())
        return True

    def take(self, happened):
        if happened.type == X.SelectionRequest:
            self.answer(happened)
        elif happened.type == X.ClientMessage:
            name, flags = self.screen.display.get_atom_name(happened.client_type), happened.data[1][1]
            if name == "XdndStatus":
                self.accepts = bool(flags & 1)
            elif name == "XdndFinished":
                self.finished = True

    def run(self, timeout):
        size = self.target.get_geometry()
        middle = self.screen.root.translate_coords(self.target, size.width // 2, size.height // 2)
        place = (middle.x << 16) | middle.y
        self.say("XdndEnter", 5 << 24, self.uri_list)
        for _ in range(3):
            self.say("XdndPosition", 0, place, X.CurrentTime, self.screen.atom("XdndActionCopy"))
            self.wait(lambda: False, 0.05)
        if not self.wait(lambda: self.accepts is not None, timeout):
            sys.exit("the window does not answer a drag")
        if not self.accepts:
            self.say("XdndLeave")
            sys.exit("the window refuses the drag")
        self.say("XdndDrop", 0, X.CurrentTime)
        if not self.wait(lambda: self.finished, timeout):
            sys.exit("the window does not finish the drop")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["manager", "wait", "drop", "close"])
    parser.add_argument("pid", type=int, nargs="?")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds")
    args = parser.parse_args()

    screen = Screen()
    if args.action == "manager":
        screen.await_manager(args.timeout)
        return
    if args.pid is None:
        parser.error("name a process")
    window = screen.window_of(args.pid, args.timeout)
    if args.action == "wait":
        size = window.get_geometry()
        print(f"window {window.id:#x}, {size.width} x {size.height}")
    elif args.action == "drop":
        Drag(screen, window, args.files).run(args.timeout)
        print(f"dropped {len(args.files)} file(s)")
    else:
        screen.message(window, "WM_PROTOCOLS", screen.atom("WM_DELETE_WINDOW"), X.CurrentTime)


if __name__ == "__main__":
    main()
