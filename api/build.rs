//! New migrations and a new page must rebuild the crate that embeds them.
fn main() {
    println!("cargo:rerun-if-changed=../migrations");
    // A path that does not exist would count as changed each time; `make` says so when the page appears.
    println!("cargo:rerun-if-env-changed=SOUK_PAGE");
    if std::path::Path::new("../frontend/dist/index.html").exists() {
        println!("cargo:rerun-if-changed=../frontend/dist");
    }
}
