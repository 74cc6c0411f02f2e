package io.sluice.format.split;

import org.jspecify.annotations.Nullable;

/**
 * How the rows of an entry are split.
 *
 * @param partitionKey the columns that are hashed; null if rows have no hash, which is 0 then
 * @param messageKey the columns whose texts are the message's key; null if messages have none
 * @param ignoresCase whether columns are found by their names in any case, as canal does for its protobuf form alone
 * @param splitsKeyChanges whether an update that changes a column of either key counts as a delete and an insert
 */
public record RowCut(
        @Nullable RowKey partitionKey, @Nullable RowKey messageKey, boolean ignoresCase, boolean splitsKeyChanges) {}
