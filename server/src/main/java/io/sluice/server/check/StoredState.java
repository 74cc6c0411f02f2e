package io.sluice.server.check;

import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.file.FileCursorEditor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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

    /**
     * Returns where an instance that is started now by the user of this process could not write its cursor or its schema history, a sentence with
     * the remedy each; empty if it could.
     */
    public static List<String> unwritable(InstanceConfig config) {
        return unwritable(config, Files::isWritable);
    }

    static List<String> unwritable(InstanceConfig config, Predicate<Path> isWritable) {
        Set<Path> places = new LinkedHashSet<>();
        if (config.cursor().kind() == CursorKind.FILE) {
            places.add(existing(config.cursor().directory()));
        }
        HistoryConfig history = config.schema().history();
        if (history != null && history.location() instanceof HistoryLocation.LocalFile local) {
            places.add(existing(local.file()));
            Path folder = local.file().toAbsolutePath().getParent();
            places.add(existing(folder == null ? local.file() : folder));
        }
        return places.stream()
                .filter(place -> !isWritable.test(place))
                .map(place ->
                        "%s cannot be written by the user of this command, %s, and the instance writes its cursor or its schema history there: if the server runs as this user, give it the right, or set canal.file.data.dir to another directory"
                                .formatted(place, System.getProperty("user.name")))
                .toList();
    }

    /** The path itself, or, if it does not exist yet, the directory in which it is made. */
    private static Path existing(Path path) {
        Path place = path.toAbsolutePath().normalize();
        Path parent = place.getParent();
        while (parent != null && Files.notExists(place)) {
            place = parent;
            parent = place.getParent();
        }
        return place;
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
