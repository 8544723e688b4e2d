//! Keys made by `ssh-keygen`, with the fingerprints that it prints.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;

const ED25519: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJwt2DTk4sg7Cs+afnUBHH25eTX/z6EbRwGnooljenxf ana@lab";
const RSAB2048: &str = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDGH3mh9ZgACF7BhOSW8s+40EjZ8mpm9cN6xmmzBdT1u8zvQn4zovG9PWHJsvZmSdO2uiGU9BrEUB19RYXq6Q6p8XlWL14WZctoaUYMTMaqFg1uFraHWdmq8cpguz1AhEphYmrtZ1VOCamnMcG61PYf1d+aPvId1q9MwEVurx8DZJtbhb020m6yz2DzDBq+jVWzvuny0Z/rM14n7u/XsaXgpyApVNP+c/jc+4VktZxAWDftwPWg3ScosOg8olJVIcm+7YPCUYKcshmOwE2CoS2LBWty0mOTLa8/AMozl/ctTQUctlZeZfkF7S7xvI6VFOMiLqyPEZJnC/1ai1sE3IBr ana@lab";
const ECDSAB256: &str = "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGAWsZZEJzMtt3QUmI5bAu+q18EYOBTPxuQpQNm0Nb7GwPHRzeuwib73eYSotrDPLzK3B9vjLBP6CwXDgUSN/GI= ana@lab";
const ECDSAB384: &str = "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBAkV+RtzgADhMGsnfKDH7jYC1+u4bl0RBA5hVAhff+TRpOHVIOSMj3pgfCefKCSYPshYuOqUaop89wmjtovTNOnjsQTbKsdDVP4WTgi5K2pv7QPBmfX0RhzcbemTvwiHoQ== ana@lab";
const ECDSAB521: &str = "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBADWzg+ow1GDa/3MH9NEDBbPK12O9EfeiK2jnQHQpQo9LTAqiwSyAxWWUwM6Xk+1+W9iyR7X6fWqsrySuMYgpjaeeQHa+NC5/KzYhPedtjeOQCfgrOUdlNC1N7/K8a55H/BskEJwFJ9pMjgzh3u9orAgb5craoRxiiN+AvS7tqugjp+5lg== ana@lab";
const RSAB1024: &str = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCZuFWezmo6tlqDOEV9tnNypmx5GGWxGqmfE9lTydaD1uJfbQIQYCMwvZhqpqGXRgJRNYrGGXlOVLxDOJVamGEE8AHO/6KxehjHB0iFMQsEkkYgMADsZUMVi++H5mFSzb1QwkWnAt0DtnFV0TOMCmsY2s/XU9qKChfvHEme5zvs9Q== ana@lab";
const DSA: &str = "ssh-dss AAAAB3NzaC1kc3MAAACBAOBFGHRtmy/HtYC+mb/2MAXLzvA081v9WvmhTNV933HCkvDYlOWb9p3T6m5veQeh7WFHY8qdI3hhPKe3qP3GB8ouSiWdBAd5YuLSbc1eQpPBB3B0ujjMSMK5zQazcmybfk70deIb2j02S9lg4/zj0eRhGjuV8PxD28x9FR6aiLMnAAAAFQDNNfuQMtTrpR0M4EKKUTRZcM8iowAAAIBCxNQ8O2n3ug7L7t7XdhOy2UD/I8FKi2XBbzMt1SfiOiJbuCY2J/8NN3zQnvox4oZllleL66OajlJ+CNulzzpPJsqvZHKFc3UeOc1Sg53ZAl4tAu93YtNBCUZk1ymLjF48GXzt+f6cijNfzR4xgsmTxKxlLgauH0K7uzG1f83O3AAAAIAxwv273TTJpPlDgOJxuFhYBARV11c4CxU+92dCrsgfcw5fmkHIRCGr6dZo1ZoEgBhJAfxlw76hV5IXDZcoSnlpmp7vAo1qUQjLMOoYCccT/y+Bdf/rr08mEor/pdhIKbHXU35/zX4szzSmX75LhctHXG4p3Fd93BmM+iFlXy7txw== ana@lab";

#[test]
fn fingerprints_are_those_of_ssh_keygen() {
    let cases = [
        (ED25519, "SHA256:Q6mvXo8CRW0cNgG/KUGPK5BIC7SlgFNoEPQFCkmLU1w"),
        (RSAB2048, "SHA256:kjJzExYfFQhcMpSH4TdBtnvYyZBEGO9qajlr8zzrCww"),
        (ECDSAB256, "SHA256:/hfQErnt+Ip8oOKD7S762aD8FI/QZ3wKhZqCXkkejeE"),
        (ECDSAB384, "SHA256:oK+5JciHCTOQTHa1V3Vb5LQuY0MwMdvMJUYsGI+l3Uc"),
        (ECDSAB521, "SHA256:uLwKfwBfbAQl0ALxGus1laWg67uiXgx77bH4iuTWTDY"),
    ];
    for (line, fingerprint) in cases {
        let key = SshKey::parse(line).expect(line);
        assert_eq!(key.fingerprint(), fingerprint);
        assert_eq!(key.line(), line.rsplit_once(' ').unwrap().0, "without the comment");
        assert_eq!(SshKey::parse(&key.line()).unwrap(), key);
    }
}

#[test]
fn what_is_not_accepted_says_why() {
    let cases = [
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", SshKeyRefused::Private),
        ("", SshKeyRefused::NotOneLine),
        ("ssh-ed25519", SshKeyRefused::NotOneLine),
        ("ssh-ed25519 AAAA\nssh-ed25519 AAAA", SshKeyRefused::NotOneLine),
        (DSA, SshKeyRefused::Type("ssh-dss".to_owned())),
        ("command=\"sh\" ssh-ed25519 AAAA", SshKeyRefused::Type("command=\"sh\"".to_owned())),
        ("ssh-ed25519 not!base64", SshKeyRefused::Base64),
        (RSAB1024, SshKeyRefused::RsaBits(1024)),
        (&ED25519[..60], SshKeyRefused::Damaged("it ends too early")),
        ("ssh-ed25519 AAAA", SshKeyRefused::Damaged("it ends too early")),
    ];
    for (text, why) in cases {
        assert_eq!(SshKey::parse(text), Err(why), "{text}");
    }
    let relabelled = RSAB2048.replace("ssh-rsa", "ssh-ed25519");
    assert_eq!(SshKey::parse(&relabelled), Err(SshKeyRefused::Damaged("it says inside that it is of another type")));
}

#[test]
fn a_key_cut_anywhere_or_with_something_after_it_is_refused() {
    for line in [ED25519, RSAB2048, ECDSAB256, ECDSAB384, ECDSAB521] {
        let (kind, rest) = line.split_once(' ').unwrap();
        let blob = STANDARD.decode(rest.split(' ').next().unwrap()).unwrap();
        for end in 0..blob.len() {
            let cut = format!("{kind} {}", STANDARD.encode(&blob[..end]));
            assert!(SshKey::parse(&cut).is_err(), "cut at {end}");
        }
        let longer = format!("{kind} {}", STANDARD.encode([&blob[..], b"x"].concat()));
        assert_eq!(SshKey::parse(&longer), Err(SshKeyRefused::Damaged("something follows after its end")));
    }
}
