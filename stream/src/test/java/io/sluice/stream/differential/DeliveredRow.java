package io.sluice.stream.differential;

import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import java.util.List;
import java.util.stream.Stream;

/** A change of a row as it was delivered. */
record DeliveredRow(EventType type, List<Column> before, List<Column> after) {
    /** The columns of both images. */
    List<Column> columns() {
        return Stream.concat(before.stream(), after.stream()).toList();
    }
}
