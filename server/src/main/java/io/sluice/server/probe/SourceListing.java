package io.sluice.server.probe;

import io.sluice.connector.api.probe.Finding;
import io.sluice.schema.table.TableName;
import java.util.List;
import java.util.Optional;

/**
 * The tables of an instance's source that its account can see.
 *
 * @param source where they are, {@code host:port}; empty if no host was asked
 * @param failure why they are not known; empty if they are
 * @param tables in the order of their names; empty if they are not known
 * @param isComplete whether these are all
 */
public record SourceListing(String source, Optional<Finding> failure, List<TableName> tables, boolean isComplete) {
    public SourceListing {
        tables = List.copyOf(tables);
    }

    static SourceListing failed(String source, Finding failure) {
        return new SourceListing(source, Optional.of(failure), List.of(), false);
    }
}
