/** Small programs that show Baton. The parts between {@code tag} and {@code end} comments are what the README quotes. */
@NullMarked
package io.baton.examples;

import org.jspecify.annotations.NullMarked;
