package io.baton.config.internal.store;

import io.baton.config.internal.record.ConfigSpace;

/** The default author of a change. */
final class Author {

    private Author() {}

    /** Returns the operating system's user at this host. May ask the name service once, which may be slow. */
    static String ofThisProcess(ConfigSpace store) {
        String user = System.getProperty("user.name", "");
        String host = store.host();
        return host.isEmpty() ? user : user + "@" + host;
    }
}
