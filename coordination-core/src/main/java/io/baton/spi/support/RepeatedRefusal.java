package io.baton.spi.support;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A request that a session repeats until the store takes it. From the third refusal on it is a trouble of the session; before,
 * it may be one of those that pass by themselves. On the loop.
 */
public final class RepeatedRefusal {

    /** So many in a row are told. */
    public static final int MANY = 3;

    private final Supplier<String> what;
    private final BiConsumer<String, String> troubled;
    private final Consumer<String> mended;
    private String told = "";
    private int refusals;

    /**
     * Nothing has been refused yet.
     *
     * @param what what does not work, and where; asked for when it is told for the first time
     * @param troubled told of that and of the store's reason, with each refusal from the third on
     * @param mended told of that once it works again, or is not wanted any more
     */
    public RepeatedRefusal(Supplier<String> what, BiConsumer<String, String> troubled, Consumer<String> mended) {
        this.what = what;
        this.troubled = troubled;
        this.mended = mended;
    }

    /** The store has refused it, once more. */
    public void refused(String why) {
        refusals++;
        if (refusals == MANY) {
            told = what.get();
        }
        if (refusals >= MANY) {
            troubled.accept(told, why);
        }
    }

    /** It has been done, or is not wanted any more. */
    public void resolved() {
        if (refusals >= MANY) {
            mended.accept(told);
        }
        refusals = 0;
    }
}
