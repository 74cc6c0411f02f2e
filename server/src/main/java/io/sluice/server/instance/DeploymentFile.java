package io.sluice.server.instance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.ProducerIdentity;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.text.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The id of the deployment that runs a destination, see {@link ProducerIdentity}. Servers that share the destination have one in ZooKeeper; that of
 * a server of its own is in a file beside the destination's cursors. Thread-safe.
 *
 * <p>The id stays for as long as the process runs, and follows when a reload names another directory. With cursors in memory nothing is
 * kept, and the id is empty.
 */
public final class DeploymentFile {
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentFile.class);

    /** Beside {@code meta.dat}. */
    private static final String FILE = "deployment.id";

    private final String destination;

    @GuardedBy("this") private @Nullable String known;

    DeploymentFile(String destination) {
        this.destination = destination;
    }

    /**
     * The id, which is made if there is none. To be called before the cursors are opened for the first time. If it cannot be written, it is
     * valid until the process ends, and written with a later call.
     *
     * @param location where the cursors are
     * @throws CursorException if the file cannot be read: another id may be in it
     */
    public synchronized String id(CursorConfig location, OwnershipTerm term) {
        if (term.isShared()) {
            return term.deployment();
        }
        if (location.kind() != CursorKind.FILE) {
            return known == null ? "" : known;
        }
        Path path = location.directory().resolve(FILE);
        String kept = read(path);
        if (known == null) {
            known = kept.isEmpty() ? UUID.randomUUID().toString() : kept;
        }
        if (kept.isEmpty()) {
            write(path, known);
        }
        return known;
    }

    /**
     * Writes the id, if there is one, to another directory, for the next process: this one keeps it anyway.
     *
     * @param from where the cursors are, in a file
     * @param to where they will be, in a file
     * @throws CursorException if a file cannot be read
     */
    synchronized void follow(CursorConfig from, CursorConfig to) {
        String id = known == null ? read(from.directory().resolve(FILE)) : known;
        Path path = to.directory().resolve(FILE);
        if (!id.isEmpty() && read(path).isEmpty()) {
            write(path, id);
        }
    }

    /** Writes the id, if this process has one, again if its file was removed, as with the cursors beside it. */
    synchronized void keepIfGone(CursorConfig location, OwnershipTerm term) {
        String id = known;
        Path path = location.directory().resolve(FILE);
        if (id != null
                && !id.isEmpty()
                && !term.isShared()
                && location.kind() == CursorKind.FILE
                && Files.notExists(path)) {
            write(path, id);
        }
    }

    private void write(Path path, String id) {
        try {
            new AtomicFile(path).replace(id);
            LOG.info("this deployment has an id from now on: instance={} file={}", destination, path);
        } catch (IOException e) {
            LOG.warn(
                    "the id of the deployment cannot be written, the next process may use another one: instance={} file={} cause={}",
                    destination,
                    path,
                    e.toString());
        }
    }

    private static String read(Path path) {
        try {
            return new AtomicFile(path).read();
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new CursorException(
                    "the id of the deployment cannot be read: check the rights of %s: %s".formatted(path, e), e);
        }
    }
}
