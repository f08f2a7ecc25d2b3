/**
 * What the servers of tests have in common: how tests get them, their directories, their certificates, and how they are
 * frozen.
 */
@NullMarked
package io.baton.testkit.server;

import org.jspecify.annotations.NullMarked;
