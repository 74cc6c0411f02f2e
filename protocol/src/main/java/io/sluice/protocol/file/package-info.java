/** Files that only the server's user and its group may read, and files that are replaced durably. It does not know what is in them. */
@NullMarked
package io.sluice.protocol.file;

import org.jspecify.annotations.NullMarked;
