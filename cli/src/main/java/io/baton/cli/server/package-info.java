/** {@code baton server}: one ZooKeeper server for development, inside this process. The demo uses it too. */
@NullMarked
package io.baton.cli.server;

import org.jspecify.annotations.NullMarked;
