package io.sluice.admin.config;

/**
 * A text to begin a configuration with.
 *
 * @param md5 of the UTF-8 bytes of the content, in lower case hex
 * @param builtIn whether it is a part of this program
 */
public record Template(String name, OwnerKind kind, String content, String md5, boolean builtIn) {
    static Template of(String name, OwnerKind kind, String content, boolean builtIn) {
        return new Template(name, kind, content, ConfigStore.md5(content), builtIn);
    }

    /** Without the content. */
    @Override
    public String toString() {
        return "Template[name=" + name + ", md5=" + md5 + "]";
    }
}
