package io.sluice.server.check;

import java.util.List;

/**
 * The tables and columns that an instance would deliver.
 *
 * @param destination the instance's name
 * @param address of the source
 * @param server its kind and version; empty if it could not be asked
 * @param failure why it could not be asked; empty if it could
 * @param tables all that the source has, in the order of their names
 * @param switches what else is left out, a sentence for each key that is set
 * @param obstacles what is stored here and keeps the instance from starting, with the remedy
 * @param notes what is probably not meant, such as names of tables that are not there
 */
public record InstanceReport(
        String destination,
        String address,
        String server,
        String failure,
        List<TableReport> tables,
        List<String> switches,
        List<String> obstacles,
        List<String> notes) {
    public InstanceReport {
        tables = List.copyOf(tables);
        switches = List.copyOf(switches);
        obstacles = List.copyOf(obstacles);
        notes = List.copyOf(notes);
    }

    /** Whether the source could be asked, and nothing that is stored here keeps the instance from starting. */
    public boolean isGood() {
        return isComplete() && obstacles.isEmpty();
    }

    /** Whether the source could be asked. */
    public boolean isComplete() {
        return failure.isEmpty();
    }
}
