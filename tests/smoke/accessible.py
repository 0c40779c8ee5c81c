#!/usr/bin/env python3
"""Starts the program and checks its window's tree of accessible objects: names, roles, values, states and actions.

usage: accessible.py PROGRAM PHOTOS...        (within a session bus and a display)
needs: python3-pyatspi, at-spi2-core
Exit code: 0 all is as expected, 1 something is not.
"""
import subprocess
import sys
import time

from gi.repository import Gio, GLib

BUS = "org.a11y.Bus", "/org/a11y/bus"
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"

# Objects that say nothing but what is in them.
UNNAMED = {"panel", "section", "filler", "separator", "image"}


def enable():
    """Reports a screen reader: programs build no tree without one."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    for name in ("IsEnabled", "ScreenReaderEnabled"):
        setting = GLib.Variant("(ssv)", ("org.a11y.Status", name, GLib.Variant("b", True)))
        session.call_sync(*BUS, "org.freedesktop.DBus.Properties", "Set", setting, None, 0, 5000, None)


def walk(node):
    yield node
    for child in node:
        if child:
            yield from walk(child)


def states(node):
    return {state.value_nick for state in node.getState().getStates()}


def find(root, role, name=None):
    return [node for node in walk(root) if node.getRoleName() == role and name in (None, node.name)]


def faults(root):
    """What is wrong with single objects."""
    for node in walk(root):
        role, name = node.getRoleName(), (node.name or "").strip()
        what = f"{role} '{name}'"
        if role == "unknown":
            yield f"no role: {what}"
        if not name and role not in UNNAMED:
            yield f"no name: {what}"
        if role == "combo box" and not node.description:
            yield f"no value: {what}"
        try:
            value = node.queryValue()
        except NotImplementedError:
            continue
        if not -1e7 < value.minimumValue <= value.currentValue <= value.maximumValue < 1e7:
            yield f"no range: {what} {value.minimumValue} {value.currentValue} {value.maximumValue}"


def missing(root):
    """What the window as a whole does not say."""
    rows = find(find(root, "list box", "List of photos")[0], "list item")
    places = [dict(pair.split(":", 1) for pair in row.getAttributes()) for row in rows]
    if [place.get("posinset") for place in places] != [str(index + 1) for index in range(len(rows))]:
        yield f"the places of the rows: {places}"
    if any(int(place.get("setsize", 0)) < len(rows) for place in places):
        yield f"the number of photos: {places}"
    if sum("selected" in states(row) for row in rows) != 1 or any("selectable" not in states(row) for row in rows):
        yield "which photo is selected"
    section = find(root, "toggle button", "Finish")[0]
    if "pressed" in states(section):
        yield "that a section is closed"
    section.queryAction().doAction(0)
    if not within(10, lambda: "pressed" in states(find(root, "toggle button", "Finish")[0])):
        yield "that a section is open"
    find(root, "menu item", "View")[0].queryAction().doAction(0)
    if not within(10, lambda: find(root, "menu", "View")):
        yield "the menu"
    elif not any("checked" in states(item) for item in find(root, "check menu item")):
        yield "the items of the menu that are on"


def within(seconds, condition):
    for _ in range(seconds * 4):
        if condition():
            return True
        time.sleep(0.25)
    return False


def main(program, photos):
    launcher = subprocess.Popen([LAUNCHER, "--launch-immediately"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    enable()
    app = subprocess.Popen([program, *photos], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        # Connects to the bus of screen readers when it is imported.
        import pyatspi

        def window():
            apps = [node for node in pyatspi.Registry.getDesktop(0) if node and "iron-cropper" in (node.name or "")]
            return apps[0][0] if apps and apps[0].childCount else None

        if not within(60, lambda: window() and find(window(), "list item")):
            return ["the window or its list is not there after a minute"]
        root = window()
        if "Iron Cropper" not in root.name or root.getRoleName() != "frame":
            return [f"the window is called '{root.name}'"]
        count = len(list(walk(root)))
        print(f"{count} objects, {len(find(root, 'list item'))} rows in sight")
        return [*faults(root), *(f"not said: {what}" for what in missing(root)), *faults(root)]
    finally:
        app.terminate()
        app.wait(20)
        launcher.terminate()


if __name__ == "__main__":
    found = main(sys.argv[1], sys.argv[2:])
    for fault in sorted(set(found)):
        print(f"FAIL accessible: {fault}")
    print("PASS accessible" if not found else "")
    sys.exit(bool(found))
