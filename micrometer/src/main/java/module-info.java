/** What locks, sessions and requests do, as Micrometer metrics. */
@SuppressWarnings("requires-transitive-automatic")
module io.baton.micrometer {
    requires static transitive org.jspecify;
    requires transitive io.baton.core;
    requires transitive micrometer.core;

    exports io.baton.micrometer;
}
