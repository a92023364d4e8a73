# The other scripts source this file. It checks what Seaway needs of the system, and installs what is
# missing (Debian and Ubuntu, as root or through sudo) or names it (everywhere else).

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# A script that ends on an error says which command failed, and where. Functions inherit the trap;
# subshells do too, but the shell around them reports the same failure.
set -E
trap 'report_failure "$?" "scripts/${BASH_SOURCE[0]##*/}" "$LINENO"' ERR
report_failure() { # STATUS FILE LINE
    [ "$BASH_SUBSHELL" -eq 0 ] || return 0
    # The line itself: bash would name only the last command of a pipeline.
    echo "$2, line $3, failed with exit status $1: $(sed -n "$3s/^ *//p" "$2")" >&2
}

missing=() # keys of the table in package_of

# The package that provides a need: package_of FAMILY KEY
package_of() {
    case "$1:$2" in
        debian:cc) echo gcc libc6-dev ;;
        debian:c++) echo g++ ;;
        debian:libvulkan.so.1) echo libvulkan1 ;;
        debian:vulkan-driver) echo mesa-vulkan-drivers ;;
        debian:libX11.so.6) echo libx11-6 ;;
        debian:libX11-xcb.so.1) echo libx11-xcb1 ;;
        debian:libXcursor.so.1) echo libxcursor1 ;;
        debian:libXi.so.6) echo libxi6 ;;
        debian:libxcb.so.1) echo libxcb1 ;;
        debian:libxkbcommon.so.0) echo libxkbcommon0 ;;
        debian:libxkbcommon-x11.so.0) echo libxkbcommon-x11-0 ;;
        debian:Xvfb) echo xvfb ;;
        debian:spirv-val) echo spirv-tools ;;
        debian:glslangValidator) echo glslang-tools ;;
        debian:chromium) echo chromium ;;
        debian:python3) echo python3 ;;
        debian:numpy) echo python3-numpy ;;
        debian:fftw3.h) echo libfftw3-dev ;;
        debian:vulkan/vulkan.h) echo libvulkan-dev ;;
        debian:glslang_c_interface.h) echo glslang-dev ;;
        fedora:fftw3.h) echo fftw-devel ;;
        fedora:vulkan/vulkan.h) echo vulkan-headers vulkan-loader-devel ;;
        fedora:glslang_c_interface.h) echo glslang-devel ;;
        arch:fftw3.h) echo fftw ;;
        arch:vulkan/vulkan.h) echo vulkan-headers ;;
        arch:glslang_c_interface.h) echo glslang ;;
        fedora:numpy) echo python3-numpy ;;
        fedora:cc) echo gcc ;;
        fedora:c++) echo gcc-c++ ;;
        fedora:libvulkan.so.1) echo vulkan-loader ;;
        fedora:vulkan-driver) echo mesa-vulkan-drivers ;;
        fedora:libX11.so.6) echo libX11 ;;
        fedora:libX11-xcb.so.1) echo libX11-xcb ;;
        fedora:libXcursor.so.1) echo libXcursor ;;
        fedora:libXi.so.6) echo libXi ;;
        fedora:libxcb.so.1) echo libxcb ;;
        fedora:libxkbcommon.so.0) echo libxkbcommon ;;
        fedora:libxkbcommon-x11.so.0) echo libxkbcommon-x11 ;;
        fedora:Xvfb) echo xorg-x11-server-Xvfb ;;
        fedora:spirv-val) echo spirv-tools ;;
        fedora:glslangValidator) echo glslang ;;
        arch:cc | arch:c++) echo gcc ;;
        arch:libvulkan.so.1) echo vulkan-icd-loader ;;
        arch:vulkan-driver) echo vulkan-swrast ;;
        arch:libX11.so.6 | arch:libX11-xcb.so.1) echo libx11 ;;
        arch:libXcursor.so.1) echo libxcursor ;;
        arch:libXi.so.6) echo libxi ;;
        arch:libxcb.so.1) echo libxcb ;;
        arch:libxkbcommon.so.0) echo libxkbcommon ;;
        arch:libxkbcommon-x11.so.0) echo libxkbcommon-x11 ;;
        arch:Xvfb) echo xorg-server-xvfb ;;
        arch:spirv-val) echo spirv-tools ;;
        arch:glslangValidator) echo glslang ;;
        arch:numpy) echo python-numpy ;;
        # A family without a list gets the plain names of what is missing.
        *:vulkan-driver) echo "a Vulkan driver (Mesa's lavapipe will do)" ;;
        *) echo "$2" ;;
    esac
}

package_family() {
    local id=
    # shellcheck disable=SC1091 # the system's own file
    [ -r /etc/os-release ] && id=$(. /etc/os-release && echo " $ID ${ID_LIKE:-} ")
    case "$id" in
        *" debian "* | *" ubuntu "*) echo debian ;;
        *" fedora "* | *" rhel "*) echo fedora ;;
        *" arch "*) echo arch ;;
        *) echo other ;;
    esac
}

need_command() {
    local name
    for name in "$@"; do
        command -v "$name" > /dev/null || missing+=("$name")
    done
}

# The loader's cache where there is one (glibc), the usual folders elsewhere.
have_library() {
    case "$({ ldconfig -p || /sbin/ldconfig -p; } 2> /dev/null)" in *"$1 "*) return ;; esac
    local folder paths=${LD_LIBRARY_PATH:-}
    for folder in ${paths//:/ } /usr/lib /usr/lib64 /lib /usr/lib/*-linux-* /usr/local/lib; do
        [ -e "$folder/$1" ] && return
    done
    return 1
}

need_library() {
    local name
    for name in "$@"; do
        have_library "$name" || missing+=("$name")
    done
}

# The libraries that winit opens at run time (x11-dl, x11rb and xkbcommon-dl look for them).
need_x_libraries() {
    need_library libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libxcb.so.1 \
        libxkbcommon.so.0 libxkbcommon-x11.so.0
}

# The manifests of drivers that the Vulkan loader finds.
vulkan_manifests() {
    if [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]; then
        echo "${VK_DRIVER_FILES:-}:${VK_ICD_FILENAMES:-}"
    else
        ls {/etc,/usr/share,/usr/local/share,/usr/local/etc}/vulkan/icd.d/*.json 2> /dev/null
    fi
}

# Mesa's software adapter.
have_lavapipe() {
    case "$(vulkan_manifests)" in *lvp_icd*) ;; *) return 1 ;; esac
}

# A driver for hardware needs the hardware too, while lavapipe needs nothing.
have_vulkan_driver() {
    [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] && return
    [ -n "$(vulkan_manifests)" ] || return 1
    have_lavapipe && return
    local manifest
    for manifest in /dev/dri/renderD* /dev/nvidiactl /dev/dxg; do
        [ -e "$manifest" ] && return
    done
    return 1
}

need_vulkan() {
    need_library libvulkan.so.1
    have_vulkan_driver || missing+=(vulkan-driver)
}

# A Python with NumPy: the first on the PATH, or the system's, for which the package is.
numpy_python() {
    local python
    for python in python3 /usr/bin/python3; do
        ! "$python" -c "import numpy" 2> /dev/null || { echo "$python" && return; }
    done
    return 1
}

need_numpy() {
    numpy_python > /dev/null || missing+=(numpy)
}

# Installs what the needs above found missing, or says what to install and stops.
install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    local family packages=() key
    family=$(package_family)
    for key in "${missing[@]}"; do
        packages+=("$(package_of "$family" "$key")")
    done
    echo "Missing on this system: ${missing[*]}" >&2
    local install="apt-get install -y --no-install-recommends ${packages[*]}"
    case "$family" in
        debian) ;;
        fedora) stop "Install it and run this again: sudo dnf install ${packages[*]}" ;;
        arch) stop "Install it and run this again: sudo pacman -S --needed ${packages[*]}" ;;
        *) stop "Install it with your system's package manager and run this again." ;;
    esac
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo > /dev/null && { sudo -n true 2> /dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            stop "This would install it, but needs root: $install"
        fi
    fi
    echo "Installing: ${packages[*]}" >&2
    # To stderr: the caller's stdout is for its own results. The words of $install are packages.
    # shellcheck disable=SC2086
    { ${as_root[@]+"${as_root[@]}"} apt-get update -qq \
        && ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive $install; } >&2 \
        || stop "Installing failed. By hand: $install"
    missing=()
}

# Rust of at least the version that Cargo.toml states.
need_rust() {
    local wanted have
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    if ! command -v cargo > /dev/null && [ -x "$HOME/.cargo/bin/cargo" ]; then
        PATH="$HOME/.cargo/bin:$PATH"
    fi
    command -v cargo > /dev/null || stop \
        "Rust is missing: Seaway needs Rust $wanted or newer. Get it from https://rustup.rs and run this again."
    have=$(cargo --version | cut -d ' ' -f 2)
    if ! printf '%s\n' "$wanted" "${have%%-*}" | sort -V -C; then
        stop "Rust $have is too old: Seaway needs Rust $wanted or newer. With rustup: rustup update stable"
    fi
}

# On Linux, the needs given as functions; other systems bring their graphics with them.
need_system() {
    [ "$(uname -s)" = Linux ] || return 0
    local need
    for need in "$@"; do
        $need
    done
    install_missing
}

# Mesa looks for a Wayland display wherever Vulkan is used, and calls it an error where there is no
# folder to look in: on a plain server, in a container, after su. It gets an empty one, which the
# caller removes when it ends (remove_runtime_folder).
runtime_folder=
need_runtime_folder() {
    [ "$(uname -s)" = Linux ] || return 0
    [ -d "${XDG_RUNTIME_DIR:-}" ] && [ -O "$XDG_RUNTIME_DIR" ] && [ -w "$XDG_RUNTIME_DIR" ] && return
    runtime_folder=$(mktemp -d) # for its owner only, as the folder must be
    export XDG_RUNTIME_DIR=$runtime_folder
}

remove_runtime_folder() {
    [ -z "$runtime_folder" ] || rm -rf "$runtime_folder"
}

# Places in the code whose tolerance is nearly used up, the closest first: the next processor, GPU
# or driver may be the one on which they fail. print_close_calls FILE WHERE
print_close_calls() {
    [ -s "$1" ] || return 0
    echo
    echo "Measured over allowed, where above 0.7$2:"
    sort -t "$(printf '\t')" -k 1,1gr "$1" | awk -F '\t' '
        $1 > 0.7 && !seen[$2]++ { print "  " $1 "  " $2 "  " $3 ": " $4; any = 1 }
        END { if (!any) print "  none" }
    '
}

stop() {
    echo "$*" >&2
    exit 1
}
