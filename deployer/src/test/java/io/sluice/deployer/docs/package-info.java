/**
 * The documentation is checked against the code: links, commands, and what the runbook must have an entry for. Depends on no server.
 */
@NullMarked
package io.sluice.deployer.docs;

import org.jspecify.annotations.NullMarked;
