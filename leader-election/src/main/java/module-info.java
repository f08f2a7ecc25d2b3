/** Leader election, and finding the leader. */
module io.baton.election {
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires transitive io.baton.core;

    exports io.baton.election;
}
