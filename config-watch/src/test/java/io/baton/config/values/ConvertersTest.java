package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.DefaultValue;
import io.baton.config.Sensitive;
import io.baton.config.UnknownFields;
import java.time.Duration;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConvertersTest {

    /** A type that Baton could not make. */
    interface Port {
        int number();

        static Port of(String text) {
            int number = Integer.parseInt(text.substring("port ".length()));
            return () -> number;
        }
    }

    record Shop(
            Currency currency,
            @DefaultValue("port 80") Port port,
            Optional<Currency> other,
            List<Currency> all,
            Map<Currency, Integer> prices) {}

    record Account(@Sensitive Port pin) {}

    record Waits(Duration most) {}

    private final Converters converters = Converters.none()
            .with(Currency.class, "a currency as EUR", Currency::getInstance)
            .with(Port.class, "a Port", Port::of);

    private <T> T bind(Class<T> type, Converters by, String document) {
        return new TypeBinder<>("payments", type, UnknownFields.REJECT, Given.none(), by, Optional.empty())
                .bind(Given.layers("payments.yaml", document));
    }

    @Test
    void bind_typeOfTheUsers_isMadeWhereverItIs() {
        Shop shop = bind(Shop.class, converters, "{currency: EUR, all: [USD, GBP], prices: {EUR: 1, JPY: 2}}");

        assertThat(shop.currency()).isEqualTo(Currency.getInstance("EUR"));
        assertThat(shop.port().number()).isEqualTo(80);
        assertThat(shop.other()).isEmpty();
        assertThat(shop.all()).extracting(Currency::getCurrencyCode).containsExactly("USD", "GBP");
        assertThat(shop.prices()).containsEntry(Currency.getInstance("JPY"), 2);
        assertThatThrownBy(() -> bind(Shop.class, Converters.none(), "{}"))
                .hasMessageContaining("nothing can be bound to");
    }

    @Test
    void bind_singleKey_isMade() {
        var binder = new TypeBinder<>(
                "payments", Currency.class, UnknownFields.REJECT, Given.none(), converters, Optional.empty());

        assertThat(binder.bind(Given.layers("payments", "EUR")).getCurrencyCode())
                .isEqualTo("EUR");
    }

    @Test
    void bind_textThatTheConverterDoesNotLike_isRefusedWithWhatItMustBe() {
        String document = "{currency: euros, port: port x, all: [], prices: {dollars: 1}}";

        assertThatThrownBy(() -> bind(Shop.class, converters, document))
                .isInstanceOf(Unbindable.class)
                .hasMessageContaining(
                        "payments.currency must be a currency as EUR, not 'euros' (store: payments.yaml @1")
                .hasMessageContaining("payments.port must be a Port, not 'port x'")
                .hasMessageContaining("its name must be a currency as EUR");
        Converters nothing = Converters.none().with(Port.class, "a Port", text -> null);
        assertThatThrownBy(() -> bind(Account.class, nothing, "{pin: x}")).hasMessageContaining("must be a Port");
    }

    @Test
    void bind_secretTextThatTheConverterQuotes_isNotQuoted() {
        Converters quoting = Converters.none().with(Port.class, "a Port", text -> {
            throw new IllegalArgumentException("what is " + text + "?");
        });

        assertThatThrownBy(() -> bind(Account.class, quoting, "{pin: hunter2}"))
                .isInstanceOf(Unbindable.class)
                .hasMessageContaining("payments.pin must be a Port (store")
                .hasMessageNotContaining("hunter2")
                .hasNoCause();
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // as by a caller who has cast
    void bind_converterThatMakesSomethingElse_isRefused() {
        Converters cast = Converters.none().with((Class) Port.class, "a Port", text -> "no port");

        assertThatThrownBy(() -> bind(Account.class, cast, "{pin: x}")).hasMessageContaining("must be a Port");
    }

    @Test
    void bind_typeThatBatonKnows_isMadeByTheConverter() {
        Converters minutes =
                Converters.none().with(Duration.class, "minutes", text -> Duration.ofMinutes(Long.parseLong(text)));

        assertThat(bind(Waits.class, minutes, "{most: 5}").most()).isEqualTo(Duration.ofMinutes(5));
    }
}
