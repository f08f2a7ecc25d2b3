/** Publishes raw data of locks beside the documents, and draws it. */
@NullMarked
package io.baton.benchmarks.plot;

import org.jspecify.annotations.NullMarked;
