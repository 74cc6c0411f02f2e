package io.sluice.admin.config;

/**
 * The newest text of a configuration, as servers get it. It may hold passwords.
 *
 * @param id the row of canal's table
 * @param name {@code canal.properties}, or the name of the instance
 * @param md5 of the UTF-8 bytes of the content, in lower case hex
 */
public record StoredText(long id, String name, String content, String md5) {
    /** Without the content. */
    @Override
    public String toString() {
        return "StoredText[name=" + name + ", md5=" + md5 + "]";
    }
}
