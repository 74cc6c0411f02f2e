package io.sluice.server.config;

/** Reads the configuration again, from where it was read at the start. */
@FunctionalInterface
public interface ConfigSource {
    /** Reads it; what cannot be read is among its problems. May wait for a disk or a network. Called by one thread at a time. */
    ReadConfiguration read();
}
