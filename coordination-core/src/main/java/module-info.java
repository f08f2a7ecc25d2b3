/** Coordination between processes: fair fenced locks, guarded writes and the interface for stores. */
module io.baton.core {
    requires static transitive org.jspecify;
    requires transitive org.slf4j;

    exports io.baton;
    exports io.baton.memory;
    exports io.baton.spi;
    exports io.baton.spi.inspect;
    exports io.baton.spi.kernel;
    exports io.baton.spi.support;
    exports io.baton.recipe;

    uses io.baton.spi.StoreProvider;

    provides io.baton.spi.StoreProvider with
            io.baton.memory.MemoryStoreProvider;
}
