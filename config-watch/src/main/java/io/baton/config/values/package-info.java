/**
 * From texts to typed values: documents, layers, binding, validation. Not exported.
 *
 * <p><b>Guarantees.</b> Nothing here knows of a store, of time or of threads: the same texts always give the same value. No
 * reason, log or exception shows what a secret path holds.
 */
@NullMarked
package io.baton.config.values;

import org.jspecify.annotations.NullMarked;
