/**
 * Small programs that show Baton. The README and the guides quote the parts between {@code tag} and {@code end} comments.
 */
@NullMarked
package io.baton.examples;

import org.jspecify.annotations.NullMarked;
