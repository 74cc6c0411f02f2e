package io.sluice.schema.ddl;

import java.util.List;

/**
 * What became of a statement text.
 *
 * @param changes the first says the entry's type, schema and table; all of them matter to filters; empty if no entry
 *     leaves for the text
 */
public record DdlResult(List<StatementChange> changes) {
    public DdlResult {
        changes = List.copyOf(changes);
    }
}
