package io.baton.config;

/**
 * Why a revision was not applied; the last good one stays in use.
 *
 * @param revision the rejected revision
 * @param change the number of the last change in it
 * @param key the binding or key that refused
 * @param reason for people; without secrets
 */
public record Rejection(long revision, long change, String key, String reason) {}
