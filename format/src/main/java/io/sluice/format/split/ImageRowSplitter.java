package io.sluice.format.split;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.row.RowImage;
import io.sluice.format.row.RowImages;
import io.sluice.format.row.RowLayout;
import io.sluice.format.row.RowPart;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits row images: finds where the rows of an event start, and what their keys are, in one walk. */
public final class ImageRowSplitter implements RowSplitter {
    private static final int SMALLEST = 64;
    private static final int LARGEST_KEPT = 1 << 20;

    /** The largest texts of keys: an eighth of the heap, as messages have at most. */
    private static final int LARGEST_TEXT = (int) Math.min(Runtime.getRuntime().maxMemory() / 8, Integer.MAX_VALUE);

    private final RowImages images = new RowImages();
    private ByteWriter text = newText();

    private int[] starts = new int[SMALLEST];
    private int rowCount;
    private int[] hashes = new int[SMALLEST];
    private int[] rows = new int[SMALLEST];
    private RowPart[] parts = new RowPart[SMALLEST];
    private byte[] @Nullable [] keys = new byte[SMALLEST][];
    private int count;
    private boolean isSplit;

    @Override
    public RowPieces split(Entry entry, RowCut cut) {
        if (entry instanceof UnreadRowsEntry unread) {
            throw unread.tooLarge();
        }
        if (!(entry instanceof RowsEntry rowsEntry)) {
            throw new IllegalStateException("an entry of kind %s has no row images to split: %s"
                    .formatted(entry.kind(), entry.getClass().getSimpleName()));
        }
        if (rowsEntry.choice() != null) {
            throw new IllegalStateException("an entry made of pieces is not split again");
        }
        try {
            return splitRows(rowsEntry, cut);
        } catch (MalformedEventException e) {
            throw rowsEntry.located(e);
        } finally {
            close();
        }
    }

    private SplitRows splitRows(RowsEntry entry, RowCut cut) {
        RowLayout layout = entry.table().layout();
        KeyColumns partitionKey =
                cut.partitionKey() == null ? null : KeyCache.columns(layout, cut.partitionKey(), cut.ignoresCase());
        KeyColumns messageKey =
                cut.messageKey() == null ? null : KeyCache.columns(layout, cut.messageKey(), cut.ignoresCase());
        entry.open(images);
        rowCount = 0;
        count = 0;
        isSplit = false;
        while (images.hasNext()) {
            fit();
            starts[rowCount] = images.position();
            RowImage before = images.next();
            if (!entry.isUpdate()) {
                add(RowPart.WHOLE, before, null, partitionKey, messageKey, false);
            } else {
                RowImage after = hasDocuments(partitionKey, messageKey) ? withTexts(cut) : images.passAfter();
                addUpdate(before, after, partitionKey, messageKey, cut.splitsKeyChanges());
            }
            rowCount++;
        }
        entry.counted(rowCount);
        return new SplitRows(
                entry,
                Arrays.copyOf(starts, rowCount),
                Arrays.copyOf(hashes, count),
                messageKey == null ? null : Arrays.copyOf(keys, count),
                isSplit ? Arrays.copyOf(rows, count) : null,
                isSplit ? Arrays.copyOf(parts, count) : null);
    }

    /** The image after with the texts of documents; those that a key is made of if rows of one key are to be in one partition. */
    private RowImage withTexts(RowCut cut) {
        return cut.splitsKeyChanges() ? images.nextAfterWithDocuments() : images.nextAfter();
    }

    private static boolean hasDocuments(@Nullable KeyColumns partitionKey, @Nullable KeyColumns messageKey) {
        return partitionKey != null && partitionKey.hasDocuments() || messageKey != null && messageKey.hasDocuments();
    }

    private void addUpdate(
            RowImage before,
            RowImage after,
            @Nullable KeyColumns partitionKey,
            @Nullable KeyColumns messageKey,
            boolean splits) {
        boolean isMoved = splits
                && (partitionKey != null && partitionKey.differ(images, before, after, text)
                        || messageKey != null && messageKey.differ(images, before, after, text))
                && images.isWhole()
                && !images.lacksDocument();
        if (isMoved) {
            isSplit = true;
            add(RowPart.BEFORE, before, null, partitionKey, messageKey, false);
            add(RowPart.AFTER, after, null, partitionKey, messageKey, false);
        } else {
            add(RowPart.WHOLE, after, before, partitionKey, messageKey, splits);
        }
    }

    /**
     * Adds a piece.
     *
     * @param other where the message's key finds values that the image lacks; null if it has no other
     * @param hashesOther whether the partition's key finds them there, too; canal's takes them for empty
     */
    private void add(
            RowPart part,
            RowImage image,
            @Nullable RowImage other,
            @Nullable KeyColumns partitionKey,
            @Nullable KeyColumns messageKey,
            boolean hashesOther) {
        hashes[count] = partitionKey == null ? 0 : partitionKey.hash(images, image, hashesOther ? other : null, text);
        if (messageKey != null) {
            keys[count] = messageKey.text(images, image, other, text);
        }
        rows[count] = rowCount;
        parts[count] = part;
        count++;
    }

    /** Makes room for another row, and its two halves. */
    private void fit() {
        if (rowCount == starts.length) {
            starts = Arrays.copyOf(starts, 2 * rowCount);
        }
        if (count + 2 > hashes.length) {
            int more = 2 * hashes.length;
            hashes = Arrays.copyOf(hashes, more);
            rows = Arrays.copyOf(rows, more);
            parts = Arrays.copyOf(parts, more);
            keys = Arrays.copyOf(keys, more);
        }
    }

    private static ByteWriter newText() {
        ByteWriter writer = new ByteWriter(256);
        writer.limitTo(LARGEST_TEXT);
        return writer;
    }

    /** Lets go of the event, and of what a large one has made large. */
    private void close() {
        images.close();
        Arrays.fill(keys, 0, count, null);
        count = 0; // the next event may fail before it sets it
        if (text.array().length > LARGEST_KEPT) {
            text = newText();
        }
        if (hashes.length > LARGEST_KEPT / Long.BYTES) {
            starts = new int[SMALLEST];
            hashes = new int[SMALLEST];
            rows = new int[SMALLEST];
            parts = new RowPart[SMALLEST];
            keys = new byte[SMALLEST][];
        }
    }
}
