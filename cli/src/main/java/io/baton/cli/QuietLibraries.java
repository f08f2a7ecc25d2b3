package io.baton.cli;

/**
 * Keeps libraries that log by {@code java.util.logging}, as gRPC does, off stderr. It is the logging configuration
 * class and configures no handler, so there is no output.
 */
public final class QuietLibraries {

    /** For {@code java.util.logging}. */
    public QuietLibraries() {}

    /**
     * Turns logging off, unless the user wants it. Call it before any library is used; it costs nothing until one logs.
     */
    public static void please() {
        if (System.getProperty("org.slf4j.simpleLogger.defaultLogLevel", "off").equals("off")) {
            System.setProperty("java.util.logging.config.class", QuietLibraries.class.getName());
        }
    }
}
