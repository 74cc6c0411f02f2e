package io.sluice.admin.fleet.action;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Describes what a reload or start has changed. Has no state. */
public final class ReloadText {
    private ReloadText() {}

    /** Returns the report of a server as a sentence. */
    public static ActionResult of(JsonNode report) {
        List<String> parts = new ArrayList<>();
        add(parts, "added", report.path("added"));
        add(parts, "changed", report.path("changed"));
        add(parts, "removed", report.path("removed"));
        boolean isChanged = !parts.isEmpty();
        add(parts, "accepts other tables, which are shown when the source was asked", report.path("otherTables"));
        report.path("refused")
                .propertyStream()
                .limit(20)
                .forEach(refused ->
                        parts.add("not in force: " + refused.getKey() + " (" + words(refused.getValue()) + ")"));
        add(parts, "not taken over", report.path("serverProblems"));
        add(parts, "warnings", report.path("warnings"));
        addRestartKeys(parts, report);
        return new ActionResult(
                isChanged, parts.isEmpty() ? "Nothing has changed." : Sentences.of(String.join("; ", parts)));
    }

    /** What does not have an effect yet after a start or restart of an instance, in a sentence; null if all does. */
    public static @Nullable String ofStart(JsonNode answer) {
        List<String> parts = new ArrayList<>();
        String problem = answer.path("serverProblem").asString("");
        if (!problem.isEmpty()) {
            parts.add("not in force: " + problem);
        }
        addRestartKeys(parts, answer);
        return parts.isEmpty() ? null : Sentences.of(String.join("; ", parts));
    }

    private static void addRestartKeys(List<String> parts, JsonNode report) {
        add(parts, "in force after a restart of the process", report.path("restartKeys"));
    }

    private static void add(List<String> parts, String title, JsonNode names) {
        if (!names.isEmpty()) {
            parts.add(title + ": " + words(names));
        }
    }

    private static String words(JsonNode names) {
        List<String> words = new ArrayList<>();
        names.forEach(name -> words.add(name.asString("")));
        return String.join(", ", words.subList(0, Math.min(20, words.size())));
    }
}
