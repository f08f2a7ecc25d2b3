/** A configuration's data in the store: its records, its history, its canary, and the entries of its fleet. */
@NullMarked
package io.baton.config.internal.record;

import org.jspecify.annotations.NullMarked;
