package io.baton.config.values;

import io.baton.config.ConfigException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.NoProviderFoundException;
import jakarta.validation.Path;
import jakarta.validation.ValidationException;
import jakarta.validation.Validator;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Validates with Jakarta Validation. Loaded only if its API is present. */
final class JakartaValidation implements Validation {

    private static final Logger log = LoggerFactory.getLogger(JakartaValidation.class);
    private static final String WITHOUT_EXPRESSIONS =
            "org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator";

    private static @Nullable Validation shared;
    private static boolean looked;

    private final Validator validator;

    private JakartaValidation(Validator validator) {
        this.validator = validator;
    }

    /** Returns null if there is no provider. Starting one is slow, and happens once. */
    static synchronized @Nullable Validation shared() {
        if (!looked) {
            shared = start();
            looked = true;
        }
        return shared;
    }

    private static @Nullable Validation start() {
        try {
            return new JakartaValidation(validator(false));
        } catch (NoProviderFoundException none) {
            log.debug("No provider of Jakarta Validation: values are not validated by annotations");
            return null;
        } catch (ValidationException perhapsNoExpressionLanguage) {
            return startWithoutExpressions();
        }
    }

    private static Validation startWithoutExpressions() {
        try {
            return new JakartaValidation(validator(true));
        } catch (ValidationException | LinkageError failed) {
            throw new ConfigException("Jakarta Validation does not start: " + failed.getMessage());
        }
    }

    private static Validator validator(boolean withoutExpressions) {
        var configuration = jakarta.validation.Validation.byDefaultProvider().configure();
        if (withoutExpressions) {
            try {
                ClassLoader loader = configuration.getClass().getClassLoader();
                Object interpolator = Class.forName(WITHOUT_EXPRESSIONS, true, loader)
                        .getConstructor()
                        .newInstance();
                configuration.messageInterpolator((MessageInterpolator) interpolator);
            } catch (ReflectiveOperationException anotherProvider) {
                log.debug("No message interpolator without expressions", anotherProvider);
            }
        }
        return configuration.buildValidatorFactory().getValidator();
    }

    @Override
    public void check(Object value, LayeredValue at, Reading reading) {
        List<ConstraintViolation<Object>> violations;
        try {
            violations = new ArrayList<>(validator.validate(value));
        } catch (ValidationException failed) {
            // The message may come from a constraint's own code and contain the value.
            String why = reading.secretWithin(at) ? failed.getClass().getSimpleName() : failed.getMessage();
            reading.problem(at.path(), Reading.named(at) + " cannot be validated: " + why);
            return;
        }
        violations.sort(
                Comparator.comparing(violation -> violation.getPropertyPath() + " " + violation.getMessageTemplate()));
        for (ConstraintViolation<Object> violation : violations) {
            LayeredValue place = place(at, violation.getPropertyPath());
            reading.problem(place.path(), reason(violation, at, place, reading));
        }
    }

    private static String reason(
            ConstraintViolation<?> violation, LayeredValue whole, LayeredValue place, Reading reading) {
        boolean secret = reading.secretWithin(place);
        String message = fixed(violation) || !(secret || reading.secretWithin(whole))
                ? violation.getMessage()
                : "does not meet @"
                        + violation
                                .getConstraintDescriptor()
                                .getAnnotation()
                                .annotationType()
                                .getSimpleName();
        String was = secret ? "" : shown(violation.getInvalidValue());
        String origin =
                place.nodes().isEmpty() ? "" : " " + place.nodes().get(0).origin();
        return Reading.named(place) + " " + message + was + origin;
    }

    /** Returns whether the message depends on the annotation only, and not on the validated value. */
    private static boolean fixed(ConstraintViolation<?> violation) {
        String template = violation.getMessageTemplate();
        return template.equals(violation.getConstraintDescriptor().getMessageTemplate()) && !template.contains("${");
    }

    /** Shows only simple values, because an object's text may contain anything. */
    private static String shown(@Nullable Object value) {
        boolean plain = value instanceof CharSequence
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof Enum<?>
                || value instanceof Duration
                || value instanceof Temporal;
        return plain ? " (was " + Reading.bounded(String.valueOf(value)) + ")" : "";
    }

    private static LayeredValue place(LayeredValue at, Path path) {
        LayeredValue place = at;
        for (Path.Node node : path) {
            if (node.getIndex() != null) {
                place = place.item(node.getIndex());
            } else if (node.getKey() != null) {
                place = place.exact(String.valueOf(node.getKey()));
            }
            boolean named = node.getKind() == ElementKind.PROPERTY && node.getName() != null;
            place = named ? place.relaxed(node.getName()) : place;
        }
        return place;
    }
}
