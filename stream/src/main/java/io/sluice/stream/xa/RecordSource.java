package io.sluice.stream.xa;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the records of one held transaction in order. For one thread. */
sealed interface RecordSource extends Closeable {
    /** The kind of a record: an event. */
    int EVENT = 0;

    /** The kind of a record: the first bytes of an event that is too large to be read. */
    int CUT = 1;

    /** The kind of a record: the mapping of a table id from here on. */
    int TABLE = 2;

    /** The kind of a record: a number of events that are left out. */
    int PASSED = 3;

    /** Moves to the next record, and returns its length; −1 at the end. Skips the unread rest of the current one. */
    int next() throws IOException;

    /** Reads bytes of the record, all that are wanted. */
    void read(byte[] to, int at, int count) throws IOException;

    /** Records in memory. */
    final class Memory implements RecordSource {
        private final List<byte[]> records;
        private int record = -1;
        private int read;

        Memory(List<byte[]> records) {
            this.records = records;
        }

        @Override
        public int next() {
            read = 0;
            return ++record < records.size() ? records.get(record).length : -1;
        }

        @Override
        public void read(byte[] to, int at, int count) {
            System.arraycopy(records.get(record), read, to, at, count);
            read += count;
        }

        @Override
        public void close() {}
    }

    /** Records in a file. */
    final class OfFile implements RecordSource {
        private static final int BUFFER_BYTES = 1 << 16;

        private final DataInputStream in;
        private long left;
        private int unread;

        OfFile(Path file) throws IOException {
            left = Files.size(file);
            in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
        }

        @Override
        public int next() throws IOException {
            in.skipNBytes(unread);
            left -= unread;
            unread = 0;
            if (left == 0) {
                return -1;
            }
            unread = in.readInt();
            left -= Integer.BYTES;
            return unread;
        }

        @Override
        public void read(byte[] to, int at, int count) throws IOException {
            in.readFully(to, at, count);
            unread -= count;
            left -= count;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
