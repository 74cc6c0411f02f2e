package io.sluice.bench.micro;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Lets JMH report rows per second in addition to operations per second. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class RowCount {
    /** Rows since the start of the iteration; the field's name is a column of JMH's report. */
    public long rows;

    @Setup(Level.Iteration)
    public void reset() {
        rows = 0;
    }
}
