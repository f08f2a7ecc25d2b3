package io.baton;

import java.time.Duration;

/**
 * The options that keep a lock from its next holder, as they are stored with it, and how long it stays blocked now.
 *
 * @param holdAtLeast {@link LockOptions#holdAtLeast}, on which all contenders agree
 * @param delayAfterLoss {@link LockOptions#delayAfterLoss}, on which all contenders agree
 * @param holdLeft the time that {@code holdAtLeast} still takes, though the entry of the last hold has gone; zero while
 *     it stands
 * @param lossLeft the time that {@code delayAfterLoss} still takes, after a hold that was not released; zero while its
 *     entry stands
 */
public record LockDelays(Duration holdAtLeast, Duration delayAfterLoss, Duration holdLeft, Duration lossLeft) {

    /** Returns how long the lock stays blocked from now on, at most, by this machine's clock; zero if it is not. */
    public Duration rest() {
        return holdLeft.compareTo(lossLeft) >= 0 ? holdLeft : lossLeft;
    }
}
