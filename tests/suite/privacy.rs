//! No network access: no crate that could, no code that does, and no network call in a run.

#[cfg(target_os = "linux")]
mod reports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Crates that access a network, or that such crates are based on.
const NETWORK: &[&str] = &[
    "actix-web",
    "async-h1",
    "async-net",
    "async-std",
    "attohttpc",
    "awc",
    "axum",
    "curl",
    "curl-sys",
    "ehttp",
    "gloo-net",
    "h2",
    "h3",
    "hf-hub",
    "hickory-client",
    "hickory-resolver",
    "http-client",
    "hyper",
    "hyper-util",
    "isahc",
    "libp2p",
    "mio",
    "minreq",
    "native-tls",
    "openssl",
    "openssl-sys",
    "quinn",
    "reqwest",
    "rouille",
    "rustls",
    "sentry",
    "smol",
    "socket2",
    "surf",
    "tiny_http",
    "tokio-tungstenite",
    "trust-dns-resolver",
    "tungstenite",
    "ureq",
    "ureq-proto",
    "warp",
    "websocket",
    "ws",
];

/// Crates that could, and the only ones that may depend on them: for browsers, which no build targets.
const ELSEWHERE: &[(&str, &[&str])] = &[("tokio", &["wasm-bindgen-futures"])];

/// The dependencies of each package, for every system and feature.
fn lock() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).expect("exists");
    let table: toml::Table = text.parse().expect("TOML");
    let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in table["package"].as_array().expect("a list") {
        let name = package["name"].as_str().expect("a name").to_owned();
        let of = package.get("dependencies").and_then(|list| list.as_array()).cloned().unwrap_or_default();
        let of = of.iter().filter_map(|entry| Some(entry.as_str()?.split(' ').next()?.to_owned()));
        packages.entry(name).or_default().extend(of);
    }
    packages
}

/// The dependency path from the program to a package.
fn dependency_path(packages: &BTreeMap<String, BTreeSet<String>>, to: &str) -> Vec<String> {
    let mut paths = vec![vec!["iron-cropper".to_owned()]];
    let mut seen = BTreeSet::new();
    while !paths.is_empty() {
        let mut longer = Vec::new();
        for dependency_path in paths {
            let last = dependency_path.last().expect("a start");
            if last == to {
                return dependency_path;
            }
            for next in packages.get(last).into_iter().flatten().filter(|next| seen.insert((*next).clone())) {
                longer.push(dependency_path.iter().chain([next]).cloned().collect());
            }
        }
        paths = longer;
    }
    Vec::new()
}

#[test]
fn no_crate_uses_a_network() {
    let packages = lock();
    assert!(packages.len() > 100 && dependency_path(&packages, "egui").len() > 1, "the lock file is parsed");
    let locked = NETWORK.iter().filter(|name| packages.contains_key(**name));
    let paths: Vec<String> = locked.map(|name| dependency_path(&packages, name).join(" -> ")).collect();
    assert!(paths.is_empty(), "locked:\n{}", paths.join("\n"));
    for (name, may) in ELSEWHERE {
        let by = packages.iter().filter(|(_, of)| of.contains(*name)).map(|(by, _)| by.as_str());
        let others: Vec<&str> = by.filter(|by| !may.contains(by)).collect();
        assert!(others.is_empty(), "{name} is a dependency of {others:?}");
    }
}

#[test]
fn no_source_file_opens_a_connection() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join("src"), root.join("crates")];
    let mut count = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("readable").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
            count += 1;
            for word in
                ["std::net", "TcpStream", "TcpListener", "UdpSocket", "ToSocketAddrs", "open_url", "hyperlink_to"]
            {
                assert!(!text.contains(word), "{} has {word}", path.display());
            }
        }
    }
    assert!(count > 400);
}

#[test]
fn the_privacy_page_lists_every_folder() {
    use batch::platform::Folders;

    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/user/privacy.md")).expect("text");
    // A new folder must be added here and to the page.
    let Folders { config_file, log_dir, cache_dir, autosave_dir, session_dir, data_dir } =
        Folders::below(Path::new("/home"));
    for path in [config_file, log_dir, cache_dir, autosave_dir, session_dir, data_dir] {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

/// Runs the program under `strace`, or without it in a namespace without a network.
#[cfg(target_os = "linux")]
#[test]
fn a_run_makes_no_network_call() {
    use std::process::Command;

    use crate::support::{folder, portrait, real_litert};

    let home = folder();
    let (trace, out) = (home.path().join("trace"), home.path().join("out"));
    let works = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).arg("true").output().is_ok_and(|done| done.status.success())
    };
    let trace_file = trace.to_string_lossy().into_owned();
    let watched = ["-f", "-qq", "-e", "trace=network", "-o", &trace_file];
    let alone = ["--map-root-user", "--net"];
    let (watcher, arguments) = if works("strace", &watched) {
        ("strace", &watched[..])
    } else if works("unshare", &alone) {
        ("unshare", &alone[..])
    } else {
        eprintln!("skipped: neither strace nor unshare works here");
        return;
    };
    for subcommand in [&["crop"][..], &["runtimes", "--afresh"], &["doctor"]] {
        let mut command = Command::new(watcher);
        command.args(arguments).arg(env!("CARGO_BIN_EXE_iron-cropper")).args(subcommand);
        command.env("IRON_CROPPER_HOME", home.path().join("home"));
        // LiteRT's library, if there is one, is tested and timed with all models.
        command.env("LITERT_LIBRARY", real_litert().unwrap_or_default());
        if subcommand == ["crop"] {
            command.arg(portrait()).arg("-o").arg(&out).args(["--runtime", "tract"]);
        }
        let done = command.output().expect("starts");
        assert!(done.status.success(), "{subcommand:?}: {}", String::from_utf8_lossy(&done.stderr));
        if watcher == "strace" {
            let calls = fs::read_to_string(&trace).expect("a trace");
            let calls: Vec<&str> = calls.lines().filter(|line| is_network_call(line)).collect();
            assert!(calls.is_empty(), "{subcommand:?}:\n{}", calls.join("\n"));
        }
    }
    assert!(out.join("astronaut.jpg").is_file());
}

/// True for a call that leaves this machine; `AF_UNIX`, socket pairs and the kernel's own sockets do not.
#[cfg(target_os = "linux")]
fn is_network_call(call: &str) -> bool {
    ["AF_INET", "AF_INET6", "AF_PACKET", "AF_VSOCK", "AF_BLUETOOTH", "AF_X25"]
        .iter()
        .any(|family| call.contains(family))
}

#[cfg(target_os = "linux")]
#[test]
fn the_trace_parser_recognises_network_calls() {
    assert!(is_network_call("12 socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_IP) = 3"));
    assert!(is_network_call("12 connect(3, {sa_family=AF_INET6, sin6_port=htons(443)}, 28) = 0"));
    assert!(!is_network_call("12 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3"));
    assert!(!is_network_call("12 +++ exited with 0 +++"));
}
