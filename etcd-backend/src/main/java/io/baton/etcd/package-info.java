/**
 * The store interface on etcd. The URI schemes {@code etcd} and {@code etcds} select it. With this module on the class
 * path, {@code etcd://h1:2379,h2:2379/app} is all that is needed.
 */
@NullMarked
package io.baton.etcd;

import org.jspecify.annotations.NullMarked;
