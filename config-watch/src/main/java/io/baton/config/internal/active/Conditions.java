package io.baton.config.internal.active;

import io.baton.config.Preparation;
import io.baton.recipe.UnprintableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Users' conditions on a bound value, checked before it comes into use. Immutable. */
public record Conditions<T>(List<Condition<T>> conditions, List<Preparation<? super T>> preparations) {

    record Condition<T>(Predicate<? super T> good, String what) {}

    public static <T> Conditions<T> none() {
        return new Conditions<>(List.of(), List.of());
    }

    Conditions<T> with(Predicate<? super T> good, String what) {
        List<Condition<T>> more = new ArrayList<>(conditions);
        more.add(new Condition<>(good, what));
        return new Conditions<>(List.copyOf(more), preparations);
    }

    Conditions<T> with(Preparation<? super T> preparation) {
        List<Preparation<? super T>> more = new ArrayList<>(preparations);
        more.add(preparation);
        return new Conditions<>(conditions, List.copyOf(more));
    }

    void check(String name, T value) throws Refused {
        for (Condition<T> condition : conditions) {
            boolean good;
            try {
                good = condition.good().test(value);
            } catch (Throwable broken) {
                // Its message may quote the value.
                String kind = broken.getClass().getSimpleName();
                throw new Refused(name, condition.what() + " (the check itself failed: " + kind + ")");
            }
            if (!good) {
                throw new Refused(name, condition.what());
            }
        }
    }

    /**
     * Runs all preparations.
     *
     * @param discreet removes secrets from their messages
     */
    void prepare(String name, T value, UnaryOperator<String> discreet) throws Refused {
        for (Preparation<? super T> preparation : preparations) {
            try {
                preparation.prepare(value);
            } catch (Throwable thrown) {
                Throwable refused = UnprintableException.printable(thrown);
                String why = refused.getMessage();
                throw new Refused(name, discreet.apply(why == null ? refused.toString() : why));
            }
        }
    }
}
