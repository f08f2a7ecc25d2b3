package io.baton.benchmarks.scale;

/** The store's own client: looks at lines and fills them without Baton. One thread. */
interface RawClient extends AutoCloseable {

    /** Below which Baton's clients work. */
    String ROOT = "/scale";

    /** Below which the lines are. */
    String LOCKS = ROOT + "/locks";

    /** How many entries there are, and whatever else there is that the load does not change. */
    long entries() throws Exception;

    /** Writes entries into one line, in order, named as Baton's are; they go when this client ends. */
    void fill(String line, int entries) throws Exception;

    /** How many requests this client has made. */
    long requests();

    @Override
    void close();
}
