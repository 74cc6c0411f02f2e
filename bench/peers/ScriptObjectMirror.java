package jdk.nashorn.api.scripting;

/**
 * Replaces a class that was removed in Java 15. Maxwell 1.22.6 names it where it handles results of scripts, and does
 * not start to send without it; there are no scripts here.
 */
public final class ScriptObjectMirror {
    private ScriptObjectMirror() {}
}
