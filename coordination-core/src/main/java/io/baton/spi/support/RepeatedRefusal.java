package io.baton.spi.support;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A request that a session repeats until the store accepts it. The third refusal in a row makes it a trouble of the
 * session; earlier ones may pass by themselves. On the loop.
 */
public final class RepeatedRefusal {

    /** This many refusals in a row are reported. */
    public static final int MANY = 3;

    private final Supplier<String> what;
    private final BiConsumer<String, String> troubled;
    private final Consumer<String> mended;
    private String told = "";
    private int refusals;

    /**
     * Nothing has been refused yet.
     *
     * @param what what does not work, and where; called before the first report
     * @param troubled receives that text and the store's reason, with each refusal from the third on
     * @param mended receives that text once the request works again or is no longer wanted
     */
    public RepeatedRefusal(Supplier<String> what, BiConsumer<String, String> troubled, Consumer<String> mended) {
        this.what = what;
        this.troubled = troubled;
        this.mended = mended;
    }

    /** The store has refused the request once more. */
    public void refused(String why) {
        refusals++;
        if (refusals == MANY) {
            told = what.get();
        }
        if (refusals >= MANY) {
            troubled.accept(told, why);
        }
    }

    /** The request has succeeded, or is no longer wanted. */
    public void resolved() {
        if (refusals >= MANY) {
            mended.accept(told);
        }
        refusals = 0;
    }
}
