package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;

/** Objects of which a test says what each method does; a call of another one fails the test. */
final class Stub {

    private Stub() {}

    static <T> T of(Class<T> type, Map<String, Function<Object[], Object>> methods) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    Function<Object[], Object> answer = methods.get(method.getName());
                    assertThat(answer).as(method.getName()).isNotNull();
                    return answer.apply(given);
                }));
    }
}
