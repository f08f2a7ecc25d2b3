/**
 * Single requests to etcd with their answers and watches in one order, one member at a time; how members are found,
 * logged in to, and told apart when they fail. Nothing is decided here.
 */
@NullMarked
package io.baton.etcd.wire;

import org.jspecify.annotations.NullMarked;
