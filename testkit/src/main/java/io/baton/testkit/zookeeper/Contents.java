package io.baton.testkit.zookeeper;

/**
 * The contents of a server.
 *
 * @param nodes nodes of all kinds, including the server's own
 * @param ephemerals the ephemeral nodes among them
 * @param watches watches that clients have set
 */
public record Contents(int nodes, int ephemerals, int watches) {}
