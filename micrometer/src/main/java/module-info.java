/** Metrics of locks, elections, live configurations, sessions and requests in Micrometer. */
@SuppressWarnings("requires-transitive-automatic")
module io.baton.micrometer {
    requires static transitive org.jspecify;
    requires transitive io.baton.core;
    requires transitive micrometer.core;

    exports io.baton.micrometer;
}
