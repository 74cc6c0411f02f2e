package io.sluice.bench.micro;

import io.sluice.format.entry.Entry;
import java.util.ArrayList;
import java.util.List;

/** Splits entries into batches of the default size of a sender: each ends after the entry with which it exceeds 50 KiB. */
final class Batches {
    private static final long BYTES = 50 * 1024;

    private Batches() {}

    static List<List<Entry>> of(List<Entry> entries) {
        List<List<Entry>> batches = new ArrayList<>();
        int begin = 0;
        long bytes = 0;
        for (int i = 0; i < entries.size(); i++) {
            bytes += entries.get(i).sizeBytes();
            if (bytes > BYTES || i == entries.size() - 1) {
                batches.add(List.copyOf(entries.subList(begin, i + 1)));
                begin = i + 1;
                bytes = 0;
            }
        }
        return batches;
    }
}
