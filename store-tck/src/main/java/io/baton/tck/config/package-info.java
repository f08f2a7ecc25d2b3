/** A follower of a live configuration that records its events for tests. */
@NullMarked
package io.baton.tck.config;

import org.jspecify.annotations.NullMarked;
