package io.sluice.server.config.read;

import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads some texts: those of the server, then those of each instance. It continues where something is wrong, so that one attempt shows everything. */
public final class TextsReader {
    private TextsReader() {}

    /** Returns what is right, and what is wrong with the rest. */
    public static ReadConfiguration read(ReadRequest request) {
        Set<Problem> problems = new LinkedHashSet<>();
        Set<Warning> warnings = new LinkedHashSet<>();
        ReadServer server = new ServerReader(request, problems, warnings).read();
        return new AllInstancesReader(request, server, problems, warnings).read();
    }
}
