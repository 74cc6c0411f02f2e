package io.sluice.connector.api.probe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Collects the findings of one probe, in their order. Thread-safe, so that what was found is there when a
 * probe exceeds its time limit.
 */
public final class Findings {
    private final List<Finding> found = new CopyOnWriteArrayList<>();

    /** Adds that something is as it has to be. */
    public void ok(String subject, String evidence) {
        found.add(new Finding(subject, Verdict.OK, evidence, ""));
    }

    /** Adds that something could be better. */
    public void warning(String subject, String evidence, String remedy) {
        found.add(new Finding(subject, Verdict.WARNING, evidence, remedy));
    }

    /** Adds that an instance cannot work with something as it is. */
    public void failed(String subject, String evidence, String remedy) {
        found.add(new Finding(subject, Verdict.FAILED, evidence, remedy));
    }

    /** Adds that something could not be found out, and why. */
    public void unknown(String subject, String evidence, String remedy) {
        found.add(new Finding(subject, Verdict.UNKNOWN, evidence, remedy));
    }

    /** What was found so far: a copy. */
    public List<Finding> list() {
        return List.copyOf(found);
    }
}
