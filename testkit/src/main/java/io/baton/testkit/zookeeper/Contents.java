package io.baton.testkit.zookeeper;

/**
 * What a server holds.
 *
 * @param nodes nodes of all kinds, the server's own among them
 * @param ephemerals those of them that go with their session
 * @param watches watches that clients have set
 */
public record Contents(int nodes, int ephemerals, int watches) {}
