/**
 * Single requests to etcd, sent to one member at a time. Answers and watch events arrive in one order. This package
 * also finds members, logs in to them and diagnoses their failures. It makes no policy decisions.
 */
@NullMarked
package io.baton.etcd.wire;

import org.jspecify.annotations.NullMarked;
