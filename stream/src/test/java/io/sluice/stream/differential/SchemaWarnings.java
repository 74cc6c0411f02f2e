package io.sluice.stream.differential;

import io.sluice.testkit.log.LogLines;
import java.util.List;

/** Collects the warnings by which a schema did not follow from DDL alone. */
final class SchemaWarnings implements AutoCloseable {
    private static final List<String> PARTS =
            List.of("the effect of a DDL is unknown", "row image", "has other columns than the DDL");

    private final LogLines log = LogLines.of("io.sluice");
    private int taken;

    /** The warnings since the last call. */
    List<String> take() {
        List<String> all = log.warnings();
        List<String> next = all.subList(taken, all.size());
        taken = all.size();
        return next.stream()
                .filter(text -> PARTS.stream().anyMatch(text::contains))
                .toList();
    }

    @Override
    public void close() {
        log.close();
    }
}
