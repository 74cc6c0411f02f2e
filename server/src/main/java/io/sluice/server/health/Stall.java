package io.sluice.server.health;

import java.time.Duration;

/**
 * Work that waits without any progress.
 *
 * @param stage where
 * @param lasting since the last progress
 */
public record Stall(Stage stage, Duration lasting) {}
