import type { ConfigProblem } from '@/api/types'
import { PropertiesDocument } from '@/properties/PropertiesDocument'

/** Returns the line of a problem in a text, from 1: the one it names, else that of its key. Undefined: it is of no line. */
export function lineOf(problem: Pick<ConfigProblem, 'key' | 'line'>, document: PropertiesDocument): number | undefined {
  if (problem.key) {
    const entry = document.entry(problem.key)
    // The text may have changed since it was checked; the key is then the better guide.
    if (entry !== undefined && (!problem.line || document.entryAtLine(problem.line)?.key !== problem.key)) {
      return entry.line
    }
  }
  const lines = document.text.split(/\r\n|\r|\n/).length
  return problem.line && problem.line <= lines ? problem.line : undefined
}
