/**
 * The commands of {@code sluice.sh}, which inspect the configuration, sources and cursors beside the server. Each is a picocli command, and
 * only this package knows picocli. It does not know how a server is started.
 */
@NullMarked
package io.sluice.deployer.command;

import org.jspecify.annotations.NullMarked;
