#!/usr/bin/env bash
# Tests Windows and macOS from Debian: type-checks both, then builds the Windows program with mingw and runs it under Wine.
# usage: bash tests/cross/run.sh [STEP...]     steps: toolchain check-windows check-macos build-windows wine; default: all
#
# Slow (about 45 minutes of processor time for a cold build), so it is not part of .ci/run. It uses Debian's newer compiler with its
# sources and an unstable flag, because rustup needs network access beyond the registries. Wine is not Windows, so this is not a
# release test; docs/dev/verified.md has the results. All files are in target/cross, or $CROSS_TARGET.
# needs: bookworm with its security archive; apt-get install gcc-mingw-w64-x86-64-win32 wine64 xvfb openbox imagemagick
#        python3-xlib xdotool nsis libgl1 mesa-vulkan-drivers
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$(realpath -m "${CROSS_TARGET:-target/cross}")
tools=$target/toolchain
windows=x86_64-pc-windows-gnu
macos=aarch64-apple-darwin
mkdir -p "$tools"

step() { printf '\n== %s\n' "$*"; }

# Debian's compiler with the sources of its standard library, unpacked but not installed, so that the system's compiler is unchanged.
toolchain() {
    step "compiler"
    if [ ! -x "$tools/usr/bin/rustc" ]; then
        local version library
        version=$(apt-cache policy rustc-web | sed -n 's/ *Candidate: \([0-9]*\.[0-9]*\).*/\1/p')
        library=$(apt-cache depends "rustc-web" "libstd-rust-web-$version" | sed -n 's/ *Depends: \(libllvm[0-9]*\)/\1/p' | head -n 1)
        mkdir -p "$tools/packages"
        (cd "$tools/packages" && apt-get download -q rustc-web rust-web-src libstd-rust-web-dev "libstd-rust-web-$version" "$library")
        for package in "$tools"/packages/*.deb; do dpkg -x "$package" "$tools"; done
        rm -r "$tools/packages"
    fi
    # Stubs of a C compiler and an archiver that create empty files, for a system without a C cross compiler.
    cat >"$tools/no-c" <<'C'
#!/bin/sh
# Creates the file after -o, or the first archive; answers version queries.
previous=
for argument; do
    [ "$previous" = -o ] && : >"$argument"
    case $argument in *.a) : >"$argument" ;; esac
    previous=$argument
done
echo "clang version 17.0.0"
C
    chmod +x "$tools/no-c"
    with_cross "$tools/usr/bin/rustc" --version
}

with_cross() {
    env LD_LIBRARY_PATH="$tools/usr/lib/x86_64-linux-gnu" RUSTC="$tools/usr/bin/rustc" RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_DIR="$target" CARGO_PROFILE_DEV_DEBUG=0 \
        CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc-win32 CXX_x86_64_pc_windows_gnu=x86_64-w64-mingw32-g++-win32 \
        AR_x86_64_pc_windows_gnu=x86_64-w64-mingw32-ar \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc-win32 \
        CC_aarch64_apple_darwin="$tools/no-c" CXX_aarch64_apple_darwin="$tools/no-c" AR_aarch64_apple_darwin="$tools/no-c" \
        SDKROOT=/ "$@"
}

cross_cargo() { # COMMAND TARGET MORE...
    local command=$1 triple=$2
    shift 2
    with_cross nice -n 19 cargo "$command" --locked -j "${CROSS_JOBS:-1}" -Zbuild-std=std,panic_abort,panic_unwind --target "$triple" "$@"
}

check_windows() { step "types on Windows"; cross_cargo check "$windows" --lib --bins --features webcam; }
check_macos() { step "types on macOS"; cross_cargo check "$macos" --lib --bins --features webcam; }

build_windows() {
    step "the program for Windows"
    cross_cargo build "$windows" --bin iron-cropper
    step "the program that a shell waits for"
    # A separate package with the same profile, so that both share the standard library.
    mkdir -p "$target/console"
    cat >"$target/console/Cargo.toml" <<P
[package]
name = "iron-cropper-console"
version = "0.0.0"
edition = "2024"
[[bin]]
name = "iron-cropper-console"
path = "$PWD/installer/windows/console.rs"
[profile.dev]
opt-level = 1
[profile.dev.package."*"]
opt-level = 1
[workspace]
P
    with_cross nice -n 19 cargo build -j "${CROSS_JOBS:-1}" --manifest-path "$target/console/Cargo.toml" \
        -Zbuild-std=std,panic_abort,panic_unwind --target "$windows"
    cp "$target/$windows/debug/iron-cropper-console.exe" "$target/$windows/debug/iron-cropper.com"
}

wine_steps() {
    step "under wine"
    bash tests/cross/wine.sh "$target/$windows/debug"
}

steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(toolchain check-windows check-macos build-windows wine)
for each in "${steps[@]}"; do
    case $each in
        toolchain) toolchain ;;
        check-windows) check_windows ;;
        check-macos) check_macos ;;
        build-windows) build_windows ;;
        wine) wine_steps ;;
        *) echo "no such step: $each"; exit 2 ;;
    esac
done
