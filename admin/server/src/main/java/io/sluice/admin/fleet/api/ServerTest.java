package io.sluice.admin.fleet.api;

/** What a try to reach a server found. */
record ServerTest(Result control, Result adminPort) {
    /**
     * One way to reach it.
     *
     * @param message what was found, or what is wrong and what to do
     */
    record Result(boolean ok, String message) {}
}
