package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Values that change by how they are written, and values that do not. */
class RewrittenTest {

    record Limits(Map<String, Integer> limits) {}

    record Retry(@DefaultValue("3") int limit) {}

    record Call(int timeout, Optional<Retry> retry) {}

    record Filter(String pattern) {}

    record Matching(Pattern pattern) {}

    /** A value of it equals none. */
    record Odd(int limit) {
        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("cannot compare");
        }

        @Override
        public int hashCode() {
            return limit;
        }
    }

    private final Rig rig = new Rig("rewritten");
    private final List<String> told = new ArrayList<>();

    private <T> Binding<T> bind(LiveConfig config, String name, Class<T> type) {
        Binding<T> bound = config.bind(name, type);
        bound.onChange((before, now, changes) -> {
            if (before.isPresent()) {
                told.add(changes.toString());
            }
        });
        rig.loop.run();
        return bound;
    }

    private <T> Binding<T> bind(String name, Class<T> type) {
        return bind(rig.open(), name, type);
    }

    @Test
    void text_beginsAsAnObjectAndIsNone_eachChangeComesIntoUse() {
        rig.write("pattern", "{a}|1", "db.properties", "hash={bcrypt}AAA");
        LiveConfig config = rig.open();
        Binding<String> hash = bind(config, "db.hash", String.class);
        Binding<String> pattern = bind(config, "pattern", String.class);

        rig.write("pattern", "{a}|2");
        rig.write("db.properties", "hash={bcrypt}BBB");

        assertThat(pattern.get()).isEqualTo("{a}|2");
        assertThat(hash.get()).isEqualTo("{bcrypt}BBB");
        assertThat(told).containsExactly("[pattern: '{a}|1' -> '{a}|2']", "[db.hash: '{bcrypt}AAA' -> '{bcrypt}BBB']");
        assertThat(config.status().healthy()).isTrue();
    }

    @Test
    void secret_beginsAsAnObjectAndIsNone_changesAndIsNotShown() {
        rig.write("db.password", "{bcrypt}AAA", "pattern", "[a");
        LiveConfig config = rig.open();
        Binding<Secret> password = bind(config, "db.password", Secret.class);
        bind(config, "pattern", String.class);

        rig.write("db.password", "{bcrypt}BBB");
        // What cannot be parsed may have a secret within, since there are some.
        rig.write("pattern", "[b");

        assertThat(password.get().reveal()).isEqualTo("{bcrypt}BBB");
        assertThat(told).containsExactly("[db.password: (secret) -> (secret)]", "[pattern: (secret) -> (secret)]");
    }

    @Test
    void text_readsAsAList_eachChangeComesIntoUse() {
        rig.write("filter.pattern", "[a, b]");
        Binding<Filter> filter = bind("filter", Filter.class);

        rig.write("filter.pattern", "[a,b]");

        assertThat(filter.get()).isEqualTo(new Filter("[a,b]"));
        assertThat(told).containsExactly("[filter.pattern: '[a, b]' -> '[a,b]']");
    }

    @Test
    void entryOfAMap_otherSpelling_comesIntoUse() {
        rig.write("shop.json", "{\"limits\":{\"eu-west\":5}}");
        Binding<Limits> shop = bind("shop", Limits.class);

        rig.write("shop.json", "{\"limits\":{\"eu_west\":5}}");

        assertThat(shop.get().limits()).containsExactly(Map.entry("eu_west", 5));
        assertThat(told).containsExactly("[shop.limits.eu-west: '5' -> (none), shop.limits.eu_west: (none) -> '5']");
    }

    @Test
    void optional_objectWithNullOnly_comesIntoUse() {
        rig.write("call.json", "{\"timeout\":1}");
        Binding<Call> call = bind("call", Call.class);

        rig.write("call.json", "{\"timeout\":1,\"retry\":{\"limit\":null}}");

        assertThat(call.get().retry()).contains(new Retry(3));
        assertThat(told).containsExactly("[call.retry.limit: (none) -> 'null']");
    }

    @Test
    void value_sameAsBeforeButWrittenOtherwise_isNoChange() {
        rig.write("call.json", "{\"timeout\":1,\"retry\":{\"limit\":1}}");
        Binding<Call> call = bind("call", Call.class);
        Call first = call.get();

        rig.write("call.json", "{\"Time-out\": 1, \"Retry\": {\"LIMIT\": 1}}");

        assertThat(call.get()).isSameAs(first);
        assertThat(told).isEmpty();
    }

    @Test
    void value_equalsNone_changesOnlyWithWhatIsWritten() {
        rig.write("call.pattern", "a", "call.other", "1", "odd.limit", "1", "pin.code", "1");
        LiveConfig config = rig.open();
        Binding<Matching> call = bind(config, "call", Matching.class);
        Binding<Odd> odd = bind(config, "odd", Odd.class);
        Binding<Secret> code = bind(config, "pin.code", Secret.class);
        Secret first = code.get();

        rig.write("pin.other", "2", "odd.limit", "1", "call.pattern", "a");

        assertThat(code.get()).isSameAs(first);
        assertThat(told).isEmpty();

        rig.write("odd.LIMIT", "1", "odd.limit", null, "call.pattern", null, "call.PATTERN", "a");

        assertThat(told).hasSize(2);
        assertThat(odd.get().limit()).isEqualTo(1);
        assertThat(call.get().pattern().pattern()).isEqualTo("a");
    }

    @Test
    void value_equalsNoneAndIsOverridden_isNotChangedByTheTextThatIsNotInUse() {
        rig.write("call.pattern", "a");
        LiveConfig config = rig.open(rig.builder().overrideEnvironment("APP_", Map.of("APP_CALL_PATTERN", "x")));
        List<String> asked = new ArrayList<>();
        Binding<Matching> call = config.binding("call", Matching.class)
                .validate(value -> asked.add(value.pattern().pattern()), "any")
                .bind();
        call.onChange((before, now, changes) -> before.ifPresent(was -> told.add(changes.toString())));
        rig.loop.run();
        Matching first = call.get();

        rig.write("call.pattern", "b");

        assertThat(call.get()).isSameAs(first);
        assertThat(told).isEmpty();
        assertThat(asked).containsExactly("x");
    }
}
