package io.sluice.mysql.wire.query;

import io.sluice.mysql.wire.error.ServerErrorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of several statements, up to the first that failed.
 *
 * @param results those of the statements before the one that failed, in order
 * @param failure the error of the server; null if none failed
 */
public record QueryBatch(
        List<QueryResult> results, @Nullable ServerErrorException failure) {
    public QueryBatch {
        results = List.copyOf(results);
    }
}
