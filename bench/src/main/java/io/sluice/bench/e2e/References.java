package io.sluice.bench.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The figures in {@code references.json}, which goals are made of.
 *
 * @param about where they come from
 */
record References(String about, List<Reference> figures) {
    static References load() throws IOException {
        try (InputStream in = References.class.getResourceAsStream("references.json")) {
            if (in == null) {
                throw new IOException("references.json is not on the class path");
            }
            return new ObjectMapper().readValue(in, References.class);
        }
    }

    /** Those of a case, which know no compression. */
    List<Reference> of(String workload, String form, String layout) {
        return figures.stream()
                .filter(one -> one.workload().equals(workload)
                        && one.form().equals(form)
                        && one.layout().equals(layout))
                .toList();
    }
}
