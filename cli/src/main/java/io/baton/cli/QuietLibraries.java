package io.baton.cli;

/**
 * Keeps libraries that log by {@code java.util.logging}, as gRPC does, off stderr. As a configuration of that one, it
 * configures nothing: no handler, so no output.
 */
public final class QuietLibraries {

    /** Made by {@code java.util.logging}. */
    public QuietLibraries() {}

    /** Unless what libraries log is wanted. To be called before any of them is used; costs nothing until one logs. */
    public static void please() {
        if (System.getProperty("org.slf4j.simpleLogger.defaultLogLevel", "off").equals("off")) {
            System.setProperty("java.util.logging.config.class", QuietLibraries.class.getName());
        }
    }
}
