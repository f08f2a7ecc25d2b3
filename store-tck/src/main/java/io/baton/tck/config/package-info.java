/** What a follower of a live configuration is told, kept for tests to look at. */
@NullMarked
package io.baton.tck.config;

import org.jspecify.annotations.NullMarked;
