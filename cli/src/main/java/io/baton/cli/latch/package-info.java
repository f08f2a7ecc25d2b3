/** {@code baton latch}: shows and changes a latch, and waits for it. */
@NullMarked
package io.baton.cli.latch;

import org.jspecify.annotations.NullMarked;
