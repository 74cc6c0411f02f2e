package io.sluice.admin.fleet.live;

import org.jspecify.annotations.Nullable;

/** The position up to which all is delivered, as the server reports it. */
public record Position(
        @Nullable String source,
        @Nullable String file,
        @Nullable Long offset,
        @Nullable String gtidSet,
        @Nullable String time) {}
