package io.sluice.admin.fleet.watch;

import org.jspecify.annotations.Nullable;

/**
 * The position up to which all is delivered, as the server reports it.
 *
 * @param gtidSetCharacters how long the GTID set is that the server has left out, since those of all its instances are too long; null if it has not
 */
public record Position(
        @Nullable String source,
        @Nullable String file,
        @Nullable Long offset,
        @Nullable String gtidSet,
        @Nullable Long gtidSetCharacters,
        @Nullable String time) {}
