package io.sluice.bench.micro;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Lets JMH report rows per second beside its own operations per second. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class RowCount {
    /** Rows since the iteration began; its name is a column of JMH's report. */
    public long rows;

    @Setup(Level.Iteration)
    public void reset() {
        rows = 0;
    }
}
