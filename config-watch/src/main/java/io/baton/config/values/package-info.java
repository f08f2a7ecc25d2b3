/**
 * From texts to typed values: documents, layers, binding, validation. Not exported.
 *
 * <p><b>Guarantees.</b> Values depend on nothing but their texts: no store, time or threads. No reason, log or
 * exception shows the value of a secret path.
 */
@NullMarked
package io.baton.config.values;

import org.jspecify.annotations.NullMarked;
