package io.sluice.admin.fleet.api;

import io.sluice.admin.problem.ProblemException;
import java.util.List;

/**
 * One page of a list.
 *
 * @param total of all pages
 * @param page from 1
 * @param size items of a page at most
 */
record Page<T>(List<T> items, long total, int page, int size) {
    private static final int MAX_SIZE = 200;

    /**
     * Cuts a page out of a list.
     *
     * @throws ProblemException 400 if there can be no such page
     */
    static <T> Page<T> of(List<T> all, int page, int size) {
        if (page < 1 || size < 1 || size > MAX_SIZE) {
            throw ProblemException.badRequest("page must be at least 1, and size 1 to %d.".formatted(MAX_SIZE));
        }
        int from = (int) Math.min(all.size(), (page - 1L) * size);
        int to = Math.min(all.size(), from + size);
        return new Page<>(List.copyOf(all.subList(from, to)), all.size(), page, size);
    }
}
