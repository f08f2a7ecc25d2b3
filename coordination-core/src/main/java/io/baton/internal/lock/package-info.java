/**
 * The lock: acquisitions, the holds that they lead to, and writes guarded by holds. Start reading at {@link
 * io.baton.internal.lock.AcquisitionMachine}.
 */
@NullMarked
package io.baton.internal.lock;

import org.jspecify.annotations.NullMarked;
