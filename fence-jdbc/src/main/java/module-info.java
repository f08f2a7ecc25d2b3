/** Fencing tokens that a relational database checks. */
module io.baton.fence.jdbc {
    requires static transitive org.jspecify;
    requires transitive io.baton.core;
    requires transitive java.sql;

    exports io.baton.fence.jdbc;
}
