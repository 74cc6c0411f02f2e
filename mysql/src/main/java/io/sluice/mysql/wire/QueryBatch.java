package io.sluice.mysql.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of several statements.
 *
 * @param results those of the statements before the one that failed, in order
 * @param failure what the server said of that one; null if none failed
 */
public record QueryBatch(
        List<QueryResult> results, @Nullable ServerErrorException failure) {
    public QueryBatch {
        results = List.copyOf(results);
    }
}
