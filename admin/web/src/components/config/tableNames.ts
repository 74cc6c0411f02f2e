/** Returns the names of tables in a typed text, each once: separated by line breaks, blanks, commas or semicolons. */
export function tableNames(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((name) => name !== ''))]
}
