package io.baton.tck;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** A chapter whose acts run repeatedly, each time with the contact cut at another message. */
abstract class CutChapter extends Chapter {

    @BeforeEach
    void assumeCuts() {
        Assumptions.assumeTrue(
                store().cuts().isPresent() && store().steadyUri().isPresent(),
                "the store under test cannot be cut off at a single message");
    }

    /** Runs the act with the contact cut at each of its messages in turn, and reports the messages. */
    final void atEachMessage(Act act, CutSeries.Script script) throws Exception {
        CutSeries series = new CutSeries(act, store().cuts().orElseThrow(), this::open, script);
        try {
            series.perform();
        } finally {
            System.out.print(series);
        }
    }
}
