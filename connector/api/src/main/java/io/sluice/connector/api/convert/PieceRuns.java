package io.sluice.connector.api.convert;

import io.sluice.format.split.RowPieces;
import java.util.Arrays;

/**
 * Combines the pieces that make one message: those of one partition, as long as they are of one type and have one key. So
 * the order of changes within a partition is kept, whatever their keys.
 */
final class PieceRuns {
    private static final int NONE = -1;

    private PieceRuns() {}

    /**
     * The runs, by their first pieces.
     *
     * @param partitions of each piece, from 0
     * @return the pieces of each run, ascending; each piece is in one
     */
    static int[][] of(RowPieces pieces, int[] partitions) {
        int count = partitions.length;
        int highest = 0;
        for (int partition : partitions) {
            highest = Math.max(highest, partition);
        }
        int[] openRuns = new int[highest + 1];
        Arrays.fill(openRuns, NONE);
        int[] runs = new int[count];
        int[] last = new int[count];
        int[] sizes = new int[count];
        int runCount = 0;
        for (int i = 0; i < count; i++) {
            int run = openRuns[partitions[i]];
            if (run == NONE || !haveSameTypeAndKey(pieces, last[run], i)) {
                run = runCount++;
                openRuns[partitions[i]] = run;
            }
            runs[i] = run;
            last[run] = i;
            sizes[run]++;
        }
        return collect(runs, sizes, runCount);
    }

    private static boolean haveSameTypeAndKey(RowPieces pieces, int one, int other) {
        return pieces.type(one) == pieces.type(other)
                && Arrays.equals(pieces.messageKey(one), pieces.messageKey(other));
    }

    private static int[][] collect(int[] runs, int[] sizes, int runCount) {
        int[][] collected = new int[runCount][];
        for (int run = 0; run < runCount; run++) {
            collected[run] = new int[sizes[run]];
        }
        int[] filled = new int[runCount];
        for (int i = 0; i < runs.length; i++) {
            collected[runs[i]][filled[runs[i]]++] = i;
        }
        return collected;
    }
}
