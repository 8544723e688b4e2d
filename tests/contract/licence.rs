//! Reading a licence expression: names joined by OR, AND and WITH, in parentheses; a slash is an old OR.

/// Whether the expression can be satisfied with the allowed names alone. Whatever cannot be read is refused.
pub fn is_satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) == Some(true) && rest.is_empty()
}

fn any(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = all(rest, allowed)?;
    while take(rest, "OR") {
        satisfied |= all(rest, allowed)?;
    }
    Some(satisfied)
}

fn all(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = one(rest, allowed)?;
    while take(rest, "AND") {
        satisfied &= one(rest, allowed)?;
    }
    Some(satisfied)
}

fn one(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    if take(rest, "(") {
        let inner = any(rest, allowed)?;
        return take(rest, ")").then_some(inner);
    }
    let (name, tail) = rest.split_first()?;
    *rest = tail;
    if take(rest, "WITH") {
        let (exception, tail) = rest.split_first()?;
        *rest = tail;
        return Some(allowed(&format!("{name} WITH {exception}")));
    }
    Some(allowed(name))
}

fn take(rest: &mut &[&str], word: &str) -> bool {
    match rest.split_first() {
        Some((first, tail)) if *first == word => {
            *rest = tail;
            true
        }
        _ => false,
    }
}

#[test]
fn an_alternative_needs_one_side_and_a_conjunction_both() {
    let allowed = |name: &str| matches!(name, "MIT" | "Unicode-3.0" | "Apache-2.0 WITH LLVM-exception");
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "Apache-2.0/MIT",
        "(MIT OR GPL-3.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_satisfied(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT OR", "MIT MIT", "Apache-2.0"] {
        assert!(!is_satisfied(bad, &allowed), "{bad}");
    }
}
