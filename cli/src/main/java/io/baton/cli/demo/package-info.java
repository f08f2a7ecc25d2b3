/**
 * {@code baton demo}: several worker JVMs sell a limited stock, without and with the lock, while some are killed and
 * frozen, one of them leads, and a setting is changed; every claim of the story is then checked against what the store and the workers said.
 *
 * <p>The orchestrator ({@code Demo} and the acts) tells workers what to do over their stdin and hears of it on their
 * stdout, one line each. A worker ends when its stdin does, so none outlives the demo.
 */
@NullMarked
package io.baton.cli.demo;

import org.jspecify.annotations.NullMarked;
