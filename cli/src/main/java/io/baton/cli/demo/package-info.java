/**
 * {@code baton demo}: several worker JVMs sell a limited stock, without and with the lock. Some are killed and frozen,
 * one of them leads, and a setting changes. Every claim is then checked against the store and the workers' reports.
 *
 * <p>The orchestrator ({@code Demo} and the acts) sends commands to the workers' stdin and reads their stdout, one line
 * each. A worker ends when its stdin does, so none outlives the demo.
 */
@NullMarked
package io.baton.cli.demo;

import org.jspecify.annotations.NullMarked;
