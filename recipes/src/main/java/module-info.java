/** Recipes beside the locks: striped locks, counters, sequences, latches, seats and questions. */
module io.baton.recipes {
    requires static transitive org.jspecify;
    requires com.google.common;
    requires transitive io.baton.core;

    exports io.baton.recipes;
}
