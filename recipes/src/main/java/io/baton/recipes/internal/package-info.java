/** How recipes are built; not for programs. */
@NullMarked
package io.baton.recipes.internal;

import org.jspecify.annotations.NullMarked;
