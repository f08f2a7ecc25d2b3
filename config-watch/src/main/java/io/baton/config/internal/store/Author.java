package io.baton.config.internal.store;

import io.baton.config.internal.record.ConfigSpace;

/** Who writes, unless told otherwise. */
final class Author {

    private Author() {}

    /** The operating system's user at this host; may ask the name service, which may be slow, once. */
    static String ofThisProcess(ConfigSpace store) {
        String user = System.getProperty("user.name", "");
        String host = store.host();
        return host.isEmpty() ? user : user + "@" + host;
    }
}
