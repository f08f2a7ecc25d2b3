/** Common parts of test servers: JUnit extension, directories, certificates, freezing. */
@NullMarked
package io.baton.testkit.server;

import org.jspecify.annotations.NullMarked;
