package io.baton;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The result of this method is not to be ignored: a hold that is dropped keeps its lock, and a transaction that was
 * refused has written nothing.
 *
 * <p>Error Prone, SpotBugs and IntelliJ IDEA honour an annotation of this simple name on a method, whatever its package.
 * So it is an annotation of Baton's own, and no program gets a dependency by it. Error Prone refuses to compile a call
 * whose result is ignored; {@code var unused = ...} says that it is meant.
 *
 * <p>Methods whose result may well be ignored do not bear it: as those that register a listener for as long as its object
 * lives, and {@link Hold#releaseAsync()}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.CLASS)
public @interface CheckReturnValue {}
