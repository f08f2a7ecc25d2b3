package io.baton.config;

import io.baton.internal.ConfigSpace;

/** Who writes, unless told otherwise. */
final class Author {

    private Author() {}

    /** The operating system's user at this host; may ask the name service, which may be slow, once. */
    static String ofThisProcess() {
        return Known.NAME;
    }

    private static final class Known {
        static final String NAME = name(System.getProperty("user.name", ""), ConfigSpace.host());

        private static String name(String user, String host) {
            return host.isEmpty() ? user : user + "@" + host;
        }
    }
}
