package io.sluice.admin.fleet.live;

import org.jspecify.annotations.Nullable;

/** Up to where all is delivered, as the server says it. */
public record Position(
        @Nullable String source,
        @Nullable String file,
        @Nullable Long offset,
        @Nullable String gtidSet,
        @Nullable String time) {}
