/** What the servers of tests have in common: their directories, their certificates, and how they are frozen. */
@NullMarked
package io.baton.testkit.server;

import org.jspecify.annotations.NullMarked;
