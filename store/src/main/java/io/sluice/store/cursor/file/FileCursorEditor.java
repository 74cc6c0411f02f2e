package io.sluice.store.cursor.file;

import io.sluice.store.cursor.Clients;
import io.sluice.store.cursor.ClientsJson;
import io.sluice.store.cursor.CursorEditor;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.ReadableClients;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.text.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Changes a {@code meta.dat}; what was there before is in {@code meta.dat.previous}, or, if it was damaged, in {@code meta.dat.damaged}. A file that a store has open is not changed. */
public final class FileCursorEditor implements CursorEditor {
    private static final String DAMAGED = ".damaged";

    private final Path path;
    private final String destination;

    /**
     * Makes one.
     *
     * @param dir as of {@link FileCursorStore#open}
     */
    public FileCursorEditor(Path dir, String destination) {
        this.path = CursorFile.path(dir, destination);
        this.destination = destination;
    }

    @Override
    public String location() {
        return path.toString();
    }

    @Override
    public String damagedPlace() {
        return path + DAMAGED;
    }

    /**
     * The process that has the file open to write it, for a sentence; empty if there is none.
     *
     * @param otherwise the answer if that cannot be determined, since the file system has no locks
     */
    public Optional<String> holder(Optional<String> otherwise) {
        return CursorFileLock.holder(path, otherwise);
    }

    @Override
    public List<Subscription> read() {
        return new Clients(CursorFile.read(path, destination).subscriptions()).kept();
    }

    /** All clients are in one file, so it has all or none. */
    @Override
    public ReadableClients readable() {
        try {
            return ReadableClients.all(read());
        } catch (CursorException e) {
            if (!e.isDamage()) {
                throw e;
            }
            return ReadableClients.none();
        }
    }

    @Override
    public Optional<List<Subscription>> previous() {
        return Files.exists(previousPath())
                ? Optional.of(CursorFile.read(previousPath(), destination).subscriptions())
                : Optional.empty();
    }

    @Override
    public void replace(List<Subscription> clients, Set<Integer> untouched) {
        CursorFileLock lock = CursorFileLock.take(path, destination);
        try {
            ClientsJson file = readToReplace();
            file.setSubscriptions(new Clients(clients).kept());
            AtomicFile.replace(path, file.text());
        } catch (IOException e) {
            throw new CursorException("cursor file %s cannot be written: %s".formatted(path, e), e);
        } finally {
            lock.close();
        }
    }

    /** Reads the file, and keeps what is there: as the previous one, or, if it is damaged, under a name of its own. */
    private ClientsJson readToReplace() throws IOException {
        try {
            ClientsJson file = CursorFile.read(path, destination);
            AtomicFile.replace(previousPath(), file.text());
            return file;
        } catch (CursorException e) {
            if (!e.isDamage()) {
                throw e;
            }
            Files.copy(path, path.resolveSibling(path.getFileName() + DAMAGED), StandardCopyOption.REPLACE_EXISTING);
            return ClientsJson.empty(destination);
        }
    }

    private Path previousPath() {
        return path.resolveSibling(path.getFileName() + ".previous");
    }
}
