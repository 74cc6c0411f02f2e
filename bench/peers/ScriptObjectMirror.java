package jdk.nashorn.api.scripting;

/**
 * Stands in for a class that left Java with version 15. Maxwell 1.22.6 names it where it sees to results of scripts, and does
 * not start to send without it; there are no scripts here.
 */
public final class ScriptObjectMirror {
    private ScriptObjectMirror() {}
}
