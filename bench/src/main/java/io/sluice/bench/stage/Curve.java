package io.sluice.bench.stage;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Shape;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What the cost is drawn against: each a number that grows while all else stays. */
enum Curve {
    /** So many tables, whose inserts take turns; of 10 columns. */
    TABLES("tables", true, 1) {
        @Override
        List<Integer> places() {
            return List.of(1, 100, 10_000);
        }

        @Override
        RecordedBinlog binlog(int place, double share, Path folder) {
            return RecordedBinlog.of(new Shape(place, 10, shared(400_000, share), 5), folder);
        }
    },
    /** So many columns in one table; always as many values in all. */
    COLUMNS("columns", true, 1) {
        @Override
        List<Integer> places() {
            return List.of(5, 50, 500);
        }

        @Override
        RecordedBinlog binlog(int place, double share, Path folder) {
            return RecordedBinlog.of(
                    new Shape(1, place, shared(5_000_000, share) / place, Math.max(1, 5_000 / place)), folder);
        }
    },
    /** So many instances in one process, each reading the same from a server; always as many rows in all. */
    INSTANCES("instances", true, 1) {
        @Override
        List<Integer> places() {
            return List.of(1, 10, 50);
        }

        @Override
        RecordedBinlog binlog(int place, double share, Path folder) {
            return mixed(1_000_000, share, folder);
        }

        @Override
        StageSource source() {
            return StageSource.LIVE;
        }
    },
    /** So many rows of the mixed workload. */
    ROWS("million rows", false, 1e-6) {
        @Override
        List<Integer> places() {
            return List.of(250_000, 500_000, 1_000_000, 2_000_000, 4_000_000);
        }

        @Override
        RecordedBinlog binlog(int place, double share, Path folder) {
            return mixed(4_000_000, share, folder);
        }
    };

    private final String label;
    private final boolean logarithmic;
    private final double scale;

    Curve(String label, boolean logarithmic, double scale) {
        this.label = label;
        this.logarithmic = logarithmic;
        this.scale = scale;
    }

    /** As options spell it. */
    String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }

    String label() {
        return label;
    }

    boolean logarithmic() {
        return logarithmic;
    }

    /** A place as it stands on the axis. */
    double onAxis(int place) {
        return place * scale;
    }

    /** Where it has points, from left to right. */
    abstract List<Integer> places();

    StageSource source() {
        return StageSource.FILE;
    }

    /**
     * What is read at a place, made now if it was not before.
     *
     * @param share how much of the usual rows; 1 unless it is a test
     */
    abstract RecordedBinlog binlog(int place, double share, Path folder);

    /** How many instances read at a place. */
    int instances(int place) {
        return this == INSTANCES ? place : 1;
    }

    /** After how many rows it is over. */
    long rows(int place, double share) {
        return this == ROWS ? shared(place, share) : this == INSTANCES ? shared(1_000_000, share) : 0;
    }

    /** What a cost is divided by besides rows. */
    int valuesPerRow(int place) {
        return this == COLUMNS ? place : 1;
    }

    private static RecordedBinlog mixed(long rows, double share, Path folder) {
        return RecordedBinlog.of(new Workload(WorkloadKind.MIXED, shared(rows, share), 1), folder);
    }

    private static long shared(long usual, double share) {
        return Math.max(1, Math.round(usual * share));
    }
}
