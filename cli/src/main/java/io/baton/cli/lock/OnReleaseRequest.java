package io.baton.cli.lock;

/** What to do when another client asks for the release of a lock: {@code --on-release-request}. */
enum OnReleaseRequest {
    /** End the command, and release. */
    release,
    /** Refuse, and go on. */
    refuse
}
