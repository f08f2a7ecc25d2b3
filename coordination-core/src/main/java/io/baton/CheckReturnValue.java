package io.baton;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose result must not be ignored: a hold that is dropped keeps its lock, and a transaction that was
 * refused has written nothing.
 *
 * <p>Error Prone, SpotBugs and IntelliJ IDEA honour an annotation of this simple name on a method, whatever its
 * package. Baton's own annotation therefore needs no dependency. Error Prone refuses to compile a call whose result is
 * ignored; {@code var unused = ...} ignores it on purpose.
 *
 * <p>Methods whose result may be ignored do not have this annotation. Examples are {@link Hold#onLost} and {@link
 * Hold#releaseAsync()}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface CheckReturnValue {}
