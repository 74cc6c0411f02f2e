package io.sluice.schema.history.rows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A directory on a disk whose power fails.
 *
 * <p>What was synchronized is there afterwards. Of what was written since, each write is lost, there, or there in part, in any order; a
 * sector of 4 KiB that was being written may hold anything. An entry of the directory that was created or deleted may or may not be,
 * unless the directory was synchronized.
 */
final class SimulatedDisk {
    private static final int SECTOR = 4096;
    private static final int ATOM = 512;

    /** A file: its content at the last synchronization, and the calls since. */
    private static final class Content {
        private byte[] synced = new byte[0];
        private final List<SystemCall> since = new ArrayList<>();
    }

    private final boolean synchronizes;
    private final Map<String, Content> entries = new LinkedHashMap<>();
    private Map<String, Content> syncedEntries = new LinkedHashMap<>();
    private final List<SystemCall> entriesSince = new ArrayList<>();
    private final Map<SystemCall, Content> created = new HashMap<>();

    /** @param synchronizes false for a disk that confirms a synchronization and has done nothing */
    SimulatedDisk(boolean synchronizes) {
        this.synchronizes = synchronizes;
    }

    void apply(SystemCall call) {
        if (call instanceof SystemCall.Create create) {
            Content content = new Content();
            entries.put(create.file(), content);
            created.put(create, content);
            entriesSince.add(create);
        } else if (call instanceof SystemCall.Unlink unlink) {
            entries.remove(unlink.file());
            entriesSince.add(unlink);
        } else if (call instanceof SystemCall.Write write) {
            content(write.file()).since.add(write);
        } else if (call instanceof SystemCall.Truncate truncate) {
            content(truncate.file()).since.add(truncate);
        } else if (call instanceof SystemCall.Sync sync && synchronizes) {
            Content content = content(sync.file());
            for (SystemCall change : content.since) {
                content.synced = changed(content.synced, change);
            }
            content.since.clear();
        } else if (call instanceof SystemCall.SyncDirectory && synchronizes) {
            syncedEntries = new LinkedHashMap<>(entries);
            entriesSince.clear();
        }
    }

    private Content content(String file) {
        Content content = entries.get(file);
        if (content == null) {
            throw new IllegalStateException("there is no file " + file);
        }
        return content;
    }

    private static byte[] changed(byte[] bytes, SystemCall change) {
        if (change instanceof SystemCall.Truncate truncate) {
            return Arrays.copyOf(bytes, (int) truncate.size());
        }
        SystemCall.Write write = (SystemCall.Write) change;
        return written(bytes, (int) write.offset(), write.bytes(), 0, write.bytes().length);
    }

    private static byte[] written(byte[] bytes, int offset, byte[] source, int from, int to) {
        byte[] target =
                Math.max(bytes.length, offset + to) > bytes.length ? Arrays.copyOf(bytes, offset + to) : bytes.clone();
        System.arraycopy(source, from, target, offset + from, to - from);
        return target;
    }

    /** Writes what is on the disk after a power failure into a directory. */
    void fail(Path into, Random random) throws IOException {
        Map<String, Content> there = new LinkedHashMap<>(syncedEntries);
        for (SystemCall change : entriesSince) {
            if (random.nextBoolean()) {
                if (change instanceof SystemCall.Create create) {
                    there.put(create.file(), created.get(create));
                } else if (change instanceof SystemCall.Unlink unlink) {
                    there.remove(unlink.file());
                }
            }
        }
        int kind = random.nextInt(6);
        for (Map.Entry<String, Content> entry : there.entrySet()) {
            Files.write(into.resolve(entry.getKey()), afterFailure(entry.getValue(), kind, random));
        }
    }

    private static byte[] afterFailure(Content content, int kind, Random random) {
        List<SystemCall> changes = arrived(content.since, kind, random);
        byte[] bytes = content.synced;
        for (SystemCall change : changes) {
            bytes = kind >= 3 && change instanceof SystemCall.Write write && random.nextBoolean()
                    ? torn(bytes, write, random)
                    : changed(bytes, change);
        }
        return bytes;
    }

    private static List<SystemCall> arrived(List<SystemCall> since, int kind, Random random) {
        List<SystemCall> changes = new ArrayList<>(since);
        return switch (kind) {
            case 0 -> List.of();
            case 1 -> changes.subList(0, random.nextInt(changes.size() + 1)); // a part, in order
            case 2 -> changes;
            case 3 -> {
                if (!changes.isEmpty()) {
                    changes.remove(random.nextInt(changes.size()));
                }
                yield changes;
            }
            default -> {
                changes.removeIf(change -> random.nextInt(3) == 0);
                Collections.shuffle(changes, random);
                yield changes;
            }
        };
    }

    /** A write of which some parts arrived, and of which a sector may have been destroyed. */
    private static byte[] torn(byte[] before, SystemCall.Write write, Random random) {
        byte[] bytes = before;
        int offset = (int) write.offset();
        for (int from = 0; from < write.bytes().length; ) {
            int to = Math.min(write.bytes().length, ((offset + from) / ATOM + 1) * ATOM - offset);
            if (random.nextBoolean()) {
                bytes = written(bytes, offset, write.bytes(), from, to);
            }
            from = to;
        }
        if (random.nextInt(4) == 0) {
            byte[] garbage = new byte[SECTOR];
            random.nextBytes(garbage);
            int sector = (offset + random.nextInt(write.bytes().length)) / SECTOR * SECTOR;
            bytes = written(bytes, sector, garbage, 0, SECTOR);
        }
        return bytes;
    }
}
