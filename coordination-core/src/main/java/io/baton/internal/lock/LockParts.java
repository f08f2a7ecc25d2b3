package io.baton.internal.lock;

import io.baton.internal.session.Requests;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.Callbacks;
import io.baton.recipe.RecordAccess;
import java.time.Duration;

/**
 * What the locks of one coordinator are built with.
 *
 * @param acquisitions all acquisitions
 * @param requests single requests to the store
 * @param records the records
 * @param callbacks the threads of user code
 * @param troubles what goes wrong for longer
 * @param handles wraps holds for the program
 * @param requestTimeout how long a request may take
 * @param client what the coordinator calls itself
 */
public record LockParts(
        Acquisitions acquisitions,
        Requests requests,
        RecordAccess records,
        Callbacks callbacks,
        Troubles troubles,
        HoldHandles handles,
        Duration requestTimeout,
        String client) {}
