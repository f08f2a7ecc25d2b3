/** Baton on etcd: {@code etcd://h1:2379,h2:2379/app} on the class path is all that is needed. */
@NullMarked
package io.baton.etcd;

import org.jspecify.annotations.NullMarked;
