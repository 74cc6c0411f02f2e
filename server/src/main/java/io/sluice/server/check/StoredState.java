package io.sluice.server.check;

import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.CursorKind;
import io.sluice.server.config.InstanceConfig;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.FileCursorEditor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks at the files of an instance for what keeps it from starting. Opens nothing that a running instance has open to write. */
public final class StoredState {
    private StoredState() {}

    /** Returns what keeps an instance from starting, a sentence with the remedy each; empty if nothing does. */
    public static List<String> obstacles(InstanceConfig config) {
        List<String> all = new ArrayList<>();
        if (config.cursor().kind() == CursorKind.FILE) {
            addCursor(config, all);
        }
        HistoryConfig history = config.schema().history();
        if (history != null && history.location() instanceof HistoryLocation.LocalFile local) {
            addHistories(local, all);
        }
        return all;
    }

    private static void addCursor(InstanceConfig config, List<String> all) {
        try {
            new FileCursorEditor(config.cursor().directory().resolve("..").normalize(), config.destination()).read();
        } catch (CursorException e) {
            all.add(String.valueOf(e.getMessage()));
        }
    }

    /** The file of canal gets another name when it is taken over, so both are there only if it was not, or canal has run since. */
    private static void addHistories(HistoryLocation.LocalFile local, List<String> all) {
        Path canal = local.h2().resolveSibling(local.h2().getFileName() + ".mv.db");
        try {
            if (Files.exists(canal) && Files.exists(local.file()) && Files.size(local.file()) > 0) {
                all.add(
                        "there are two schema histories, %s and that of canal, %s: move away the older one; if only the latter is left, it is taken over at the next start"
                                .formatted(local.file(), canal));
            }
        } catch (IOException e) {
            all.add("the schema history %s cannot be read: %s".formatted(local.file(), e));
        }
    }
}
