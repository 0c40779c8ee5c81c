"""Adds icon, version and manifest to the Windows program, as an additional section at the end.

Used by package.py. The linker leaves Rust programs without resources; a program that has some already is refused, and so is
one that is signed, since a signature would no longer hold.
"""

import struct

ICON, GROUP_ICON, VERSION, MANIFEST = 3, 14, 16, 24
ENGLISH = 0x0409
RESOURCE_ENTRY, SIGNATURE_ENTRY = 2, 4

MANIFEST_TEXT = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <assemblyIdentity type="win32" name="IronCropper" version="{version}"/>
  <trustInfo xmlns="urn:schemas-microsoft-com:asm.v3">
    <security><requestedPrivileges><requestedExecutionLevel level="asInvoker" uiAccess="false"/></requestedPrivileges></security>
  </trustInfo>
  <dependency><dependentAssembly>
    <assemblyIdentity type="win32" name="Microsoft.Windows.Common-Controls" version="6.0.0.0" processorArchitecture="*" \
publicKeyToken="6595b64144ccf1df" language="*"/>
  </dependentAssembly></dependency>
  <compatibility xmlns="urn:schemas-microsoft-com:compatibility.v1">
    <application><supportedOS Id="{{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}}"/></application>
  </compatibility>
  <application xmlns="urn:schemas-microsoft-com:asm.v3"><windowsSettings>
    <dpiAware xmlns="http://schemas.microsoft.com/SMI/2005/WindowsSettings">true/pm</dpiAware>
    <dpiAwareness xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">PerMonitorV2</dpiAwareness>
    <longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
  </windowsSettings></application>
</assembly>
"""


def padded(data, to):
    return data + b"\0" * (-len(data) % to)


def four_numbers(version):
    """`1.2.3` or `1.2.3-rc.1` as the four numbers of a Windows version."""
    numbers = [int(part) for part in version.split("-")[0].split("+")[0].split(".")]
    return (numbers + [0, 0, 0, 0])[:4]


def version_node(key, value=b"", kind=0, children=(), value_length=None):
    """One node of a version resource: its lengths, key, value and children, each aligned to four bytes."""
    head = padded(b"\0" * 6 + key.encode("utf-16-le") + b"\0\0", 4)
    body = padded(head + value, 4) if children else head + value
    for child in children:
        body = padded(body, 4) + child
    length = len(value) if value_length is None else value_length
    return struct.pack("<HHH", len(body), length, kind) + body[6:]


def version_resource(version, texts):
    numbers = four_numbers(version)
    high, low = numbers[0] << 16 | numbers[1], numbers[2] << 16 | numbers[3]
    # Signature, structure version, file and product version, flags mask (all), flags (none), OS (Windows), type (application).
    fixed = struct.pack("<13I", 0xFEEF04BD, 0x10000, high, low, high, low, 0x3F, 0, 0x40004, 1, 0, 0, 0)
    strings = [
        version_node(key, (text + "\0").encode("utf-16-le"), 1, value_length=len(text) + 1) for key, text in texts.items()
    ]
    table = version_node("040904B0", kind=1, children=strings)
    translation = version_node("Translation", struct.pack("<HH", ENGLISH, 1200))
    return version_node(
        "VS_VERSION_INFO",
        fixed,
        children=[
            version_node("StringFileInfo", kind=1, children=[table]),
            version_node("VarFileInfo", kind=1, children=[translation]),
        ],
    )


def section(tree, address):
    """The resource section loaded at `address`: directories of types, names and languages, then data."""
    directories = 16 + 8 * len(tree) + sum(16 + 8 * len(names) + len(names) * (16 + 8) for names in tree.values())
    leaves = sum(len(names) for names in tree.values())
    data_at = directories + 16 * leaves
    names_at, leaf_at = 16 + 8 * len(tree), directories
    languages_at = names_at + sum(16 + 8 * len(names) for names in tree.values())
    types, names_part, languages, entries, data = [], b"", b"", b"", b""
    head = lambda count: struct.pack("<IIHHHH", 0, 0, 0, 0, 0, count)
    for kind in sorted(tree):
        types.append(struct.pack("<II", kind, 0x80000000 | names_at + len(names_part)))
        names_part += head(len(tree[kind]))
        for name in sorted(tree[kind]):
            content = tree[kind][name]
            names_part += struct.pack("<II", name, 0x80000000 | languages_at + len(languages))
            languages += head(1) + struct.pack("<II", ENGLISH, leaf_at + len(entries))
            data = padded(data, 8)
            entries += struct.pack("<IIII", address + data_at + len(data), len(content), 0, 0)
            data += content
    return head(len(types)) + b"".join(types) + names_part + languages + entries + data


def checksum(image, at):
    """The PE checksum; `at` is the offset of its field."""
    data = padded(image[:at] + b"\0\0\0\0" + image[at + 4 :], 4)
    total = sum(struct.unpack(f"<{len(data) // 4}I", data))
    while total >> 32:
        total = (total & 0xFFFFFFFF) + (total >> 32)
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return total + len(image)


def with_resources(image, tree):
    """The program `image` with the resources of `tree`: bytes by type and number."""
    image = bytearray(image)
    if image[:2] != b"MZ":
        raise ValueError("not a program for Windows")
    pe = struct.unpack_from("<I", image, 0x3C)[0]
    if image[pe : pe + 4] != b"PE\0\0":
        raise ValueError("not a program for Windows")
    count, optional_size = struct.unpack_from("<H", image, pe + 6)[0], struct.unpack_from("<H", image, pe + 20)[0]
    optional = pe + 24
    if struct.unpack_from("<H", image, optional)[0] != 0x20B:
        raise ValueError("not a 64-bit program")
    section_alignment, file_alignment = struct.unpack_from("<II", image, optional + 32)
    image_size, headers_size = struct.unpack_from("<II", image, optional + 56)
    entry = lambda number: optional + 112 + 8 * number
    if struct.unpack_from("<II", image, entry(RESOURCE_ENTRY)) != (0, 0):
        raise ValueError("the program has resources already")
    if struct.unpack_from("<II", image, entry(SIGNATURE_ENTRY)) != (0, 0):
        raise ValueError("the program is signed; resources come before the signature")
    header = optional + optional_size + 40 * count
    if header + 40 > headers_size or any(image[header : header + 40]):
        raise ValueError("there is no room for the header of one more section")
    address = -(-image_size // section_alignment) * section_alignment
    content = section(tree, address)
    image.extend(b"\0" * (-len(image) % file_alignment))
    place, stored = len(image), padded(content, file_alignment)
    image.extend(stored)
    # Initialised, readable data.
    image[header : header + 40] = struct.pack(
        "<8sIIIIIIHHI", b".rsrc", len(content), address, len(stored), place, 0, 0, 0, 0, 0x40000040
    )
    struct.pack_into("<H", image, pe + 6, count + 1)
    initialized = struct.unpack_from("<I", image, optional + 8)[0]
    struct.pack_into("<I", image, optional + 8, initialized + len(stored))
    end = address + len(content)
    struct.pack_into("<I", image, optional + 56, -(-end // section_alignment) * section_alignment)
    struct.pack_into("<II", image, entry(RESOURCE_ENTRY), address, len(content))
    struct.pack_into("<I", image, optional + 64, checksum(bytes(image), optional + 64))
    return bytes(image)


def resources(version, file_name, icon_images, icon_directory):
    """The program's resources; `icon_directory` builds the icon directory from images and their numbers."""
    numbers = range(1, len(icon_images) + 1)
    texts = {
        "CompanyName": "Iron Cropper contributors",
        "FileDescription": "Iron Cropper",
        "FileVersion": version,
        "InternalName": "iron-cropper",
        "LegalCopyright": "MIT or Apache-2.0",
        "OriginalFilename": file_name,
        "ProductName": "Iron Cropper",
        "ProductVersion": version,
    }
    manifest = MANIFEST_TEXT.format(version=".".join(map(str, four_numbers(version))))
    return {
        ICON: {number: data for number, (_, data) in zip(numbers, icon_images)},
        GROUP_ICON: {1: icon_directory(icon_images, [struct.pack("<H", number) for number in numbers])},
        VERSION: {1: version_resource(version, texts)},
        MANIFEST: {1: manifest.encode("utf-8")},
    }
