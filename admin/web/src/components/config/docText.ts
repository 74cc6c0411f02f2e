/** A piece of a description: words, or code. */
export interface DocPart {
  text: string
  code: boolean
}

/**
 * Returns the description of a key for a form. Descriptions are written for a page of the manual: code is in backticks, links lead to
 * other parts of that page, which are not here, and a value of any kind "must be a text".
 */
export function docParts(description: string): DocPart[] {
  return description
    .replace(/[;,] see \[[^\]]*\]\(#[^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/ Must be a text\.$/, '')
    .split('`')
    .map((text, index) => ({ text, code: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

/** Returns the same as one text. */
export function docText(description: string): string {
  return docParts(description)
    .map(({ text }) => text)
    .join('')
}
