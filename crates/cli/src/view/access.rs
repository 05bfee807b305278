//! Access to the server: a request must hold the token, and must come from the server's own page.
//!
//! A page of another site can make the browser send requests to this server; the header `Origin` reveals that. Its host
//! name may also resolve to this machine; the header `Host` reveals that. Both are parsed and compared in full.

use std::net::{IpAddr, SocketAddr};

use super::token;
use crate::failure::Failure;

/// The address and the token that a request must contain.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    address: SocketAddr,
    token: String,
}

impl Access {
    /// Creates the access to the server at this address, with a token of 128 bits. If `keep`, the token is the token of
    /// the last server on the same port, so that its pages can connect again.
    pub(crate) fn new(address: SocketAddr, keep: bool) -> Result<Self, Failure> {
        let kept = keep.then(|| token::file(address.port())).flatten();
        if let Some(token) = kept.as_deref().and_then(token::read) {
            return Ok(Self { address, token });
        }
        let token = secret().map_err(|error| Failure::Limit(format!("no random numbers for the token: {error}")))?;
        if let Some(file) = kept {
            token::write(&file, &token);
        }
        Ok(Self { address, token })
    }

    /// The access with this token: for tests.
    #[cfg(any(test, fuzzing))]
    pub(super) fn fixed(address: &str, token: &str) -> Self {
        Self { address: address.parse().expect("the address is valid"), token: token.to_owned() }
    }

    /// The address of the page, with the token.
    pub(crate) fn url(&self) -> String {
        let mut address = self.address;
        // The page of a server that listens on all addresses is opened at the loopback address.
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(std::net::Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(std::net::Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        format!("http://{address}/?token={}", self.token)
    }

    /// Whether a `Host` header names this server.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        let Some((name, port)) = split_host(host) else { return false };
        if port != self.address.port() {
            return false;
        }
        let own = self.address.ip();
        if name.eq_ignore_ascii_case("localhost") {
            return own.is_loopback() || own.is_unspecified();
        }
        // A server that listens on all addresses accepts any address but not a name: a name of another site could
        // resolve to this machine.
        name.parse::<IpAddr>().is_ok_and(|ip| ip == own || own.is_unspecified())
    }

    /// Whether an `Origin` header names a page of this server.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }

    /// Whether the query of a request holds the token exactly once.
    pub(crate) fn has_token(&self, query: &str) -> bool {
        let mut tokens = query.split('&').filter_map(|pair| pair.strip_prefix("token="));
        match (tokens.next(), tokens.next()) {
            (Some(token), None) => same(token.as_bytes(), self.token.as_bytes()),
            _ => false,
        }
    }
}

/// Splits a host into name and port, without the brackets of IPv6 addresses.
fn split_host(host: &str) -> Option<(&str, u16)> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (name, rest) = rest.split_once(']')?;
            name.parse::<std::net::Ipv6Addr>().ok()?;
            (name, rest)
        }
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = match port.strip_prefix(':') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            digits.parse().ok()?
        }
        None if port.is_empty() => 80,
        _ => return None,
    };
    Some((name, port))
}

/// Compares two tokens in a time that does not depend on the position of their first difference.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Returns 128 random bits as hexadecimal digits.
pub(crate) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        Access::fixed(address, &"ab".repeat(16))
    }

    #[test]
    fn hosts_are_compared_as_a_whole() {
        let four = access("127.0.0.1:4000");
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000"] {
            assert!(four.is_host(host), "{host}");
            assert!(four.is_origin(&format!("http://{host}")), "{host}");
        }
        let wrong = "127.0.0.1 127.0.0.1: 127.0.0.1:4001 127.0.0.1:04000x 127.0.0.1.evil.test:4000 localhost.:4000 \
                     evil.test:4000 evil.test 127.0.0.1:4000@evil.test localhost:4000.evil.test [::1]:4000 0.0.0.0:4000 \
                     127.0.0.2:4000 127.1:4000 2130706433:4000 [127.0.0.1]:4000 127.0.0.1:+4000 :4000 [::1";
        for host in wrong.split_whitespace().chain([""]) {
            assert!(!four.is_host(host), "{host}");
        }
        assert!(!four.is_origin("https://127.0.0.1:4000"));
        assert!(!four.is_origin("null"));
        assert!(!four.is_origin("http://127.0.0.1:4000/"));
        assert!(access("[::1]:4000").is_host("[::1]:4000"));
        assert!(access("0.0.0.0:4000").is_host("192.168.1.2:4000"));
        assert!(!access("0.0.0.0:4000").is_host("evil.test:4000"));
    }

    #[test]
    fn the_token_must_match_exactly_and_once() {
        let access = access("127.0.0.1:4000");
        let token = "ab".repeat(16);
        assert!(access.has_token(&format!("token={token}")));
        assert!(access.has_token(&format!("theme=dark&token={token}")));
        for query in [String::new(), "token=".into(), format!("token={token}0"), format!("token={token}&token={token}")]
        {
            assert!(!access.has_token(&query), "{query}");
        }
        assert!(!access.has_token(&format!("token={}", token.to_uppercase())));
        assert_ne!(secret().unwrap(), secret().unwrap());
    }
}
