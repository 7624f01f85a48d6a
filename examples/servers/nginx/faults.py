"""Ten faults: six in nginx's configuration (what stands there, what does instead), four of a proxy before it (proxy.py)."""

CONFIGURATION = {
    "keepalive-twice": ("keepalive_timeout 800ms;", "keepalive_timeout 1600ms;"),
    "header-half": ("client_header_timeout 600ms;", "client_header_timeout 300ms;"),
    "header-missing": ("client_header_timeout 600ms;", ""),
    "fail-twice": ("fail_timeout=1s", "fail_timeout=2s"),
    "wrong-backup": ("backup.sock backup;", "backup.sock;"),
    "never-out": ("max_fails=1", "max_fails=0"),
}

PROXY = {
    "proxy-delays": {"delay": 0.3},  # Everything from nginx comes 300 ms late.
    "proxy-drops": {"drop": 4},  # Every fourth answer of a connection is lost.
    "proxy-doubles": {"double": True},  # Every answer comes twice.
    "proxy-drifts": {"rate": 1.1},  # What nginx does 1.0 s after the connection began is seen after 1.1 s.
}

NAMES = [*CONFIGURATION, *PROXY]

# What a test must do to see it: said of the suites that do not.
SHOWS = {
    "keepalive-twice": "a connection that is left alone for 0.9 s after an answer",
    "header-half": "a request that is not complete 0.3 s after it began",
    "header-missing": "a request that is not complete 0.7 s after it began",
    "fail-twice": "a request between 2.2 and 3 s after main was given up and mended",
    "wrong-backup": "a second request, or one while main hangs",
    "never-out": "a request within 0.8 s after main was given up",
    "proxy-delays": "any answer",
    "proxy-drops": "four requests over one connection",
    "proxy-doubles": "any answer that is followed by a wait",
    "proxy-drifts": "a connection kept for 2 s by several requests, as 0.1 s is within the tolerance",
}
