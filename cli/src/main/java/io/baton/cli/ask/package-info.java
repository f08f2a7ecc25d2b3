/** {@code baton ask}: asks another service, and shows which questions are on record. */
@NullMarked
package io.baton.cli.ask;

import org.jspecify.annotations.NullMarked;
