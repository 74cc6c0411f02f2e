/** One entry of a properties text: a key, its value, and where they are in the text. */
export interface PropertiesEntry {
  key: string
  value: string
  /** The line of the key, from 1. */
  line: number
  /** How many lines it has: more than one with continuation lines. */
  lines: number
  /** Offsets in the text: of the key, of the first character of the value, and of the end without the line break. */
  start: number
  valueStart: number
  end: number
}

/**
 * A Java properties text that can be changed key by key.
 *
 * What is not changed stays as it is, to the last blank: comments, order, escapes, line breaks, keys that are not known.
 * As in Java, the last entry of a key counts.
 */
export class PropertiesDocument {
  readonly text: string
  readonly entries: readonly PropertiesEntry[]

  constructor(text: string) {
    this.text = text
    this.entries = parse(text)
  }

  /** Returns the value of a key, or undefined if there is no entry for it. */
  get(key: string): string | undefined {
    return this.entry(key)?.value
  }

  /** Returns the entry of a key that counts, or undefined. */
  entry(key: string): PropertiesEntry | undefined {
    return this.entries.findLast((entry) => entry.key === key)
  }

  /** Returns the entry with a line, whether its first or a continuation line. */
  entryAtLine(line: number): PropertiesEntry | undefined {
    return this.entries.find((entry) => entry.line <= line && line < entry.line + entry.lines)
  }

  /**
   * Returns the text in which a key has a value.
   *
   * A key without an entry is added below a comment that shows it (`#key = …`), else at the end.
   */
  set(key: string, value: string): PropertiesDocument {
    const present = this.entry(key)
    if (present !== undefined) {
      if (present.value === value) {
        return this
      }
      let head = this.text.slice(present.start, present.valueStart)
      // The separator of an entry that had no value may be missing, or be a continuation line.
      if (!/[=:]/.test(unescapedPart(head)) || /[\r\n]/.test(head)) {
        head = `${escapeKey(key)} = `
      } else if (!/\s$/.test(head) && /\s[=:]$/.test(head) && value !== '') {
        head += ' '
      }
      return this.replaced(present.start, present.end, head + escapeValue(value))
    }
    return this.added(`${escapeKey(key)} = ${escapeValue(value)}`, key)
  }

  /** Returns the text without the entries of a key. */
  remove(key: string): PropertiesDocument {
    let text = this.text
    for (const entry of [...this.entries].reverse()) {
      if (entry.key === key) {
        const lineStart = lineStartBefore(text, entry.start)
        text = text.slice(0, lineStart) + text.slice(afterLineBreak(text, entry.end))
      }
    }
    return new PropertiesDocument(text)
  }

  private added(line: string, key: string): PropertiesDocument {
    const lineBreak = this.text.includes('\r\n') ? '\r\n' : '\n'
    const shown = this.shownInComment(key)
    if (shown !== undefined) {
      return this.replaced(shown, shown, lineBreak + line)
    }
    // One line break ends the last line, if it is open; a text that ends with a continuation mark needs more.
    let document: PropertiesDocument
    let head = this.text === '' || /[\r\n]$/.test(this.text) ? this.text : this.text + lineBreak
    do {
      document = new PropertiesDocument(head + line + lineBreak)
      head += lineBreak
    } while (document.entries.length === this.entries.length)
    return document
  }

  /** The end of the last comment line that shows the key, outside of all entries. */
  private shownInComment(key: string): number | undefined {
    let found: number | undefined
    let offset = 0
    let line = 1
    for (const part of this.text.split(/(\r\n|\r|\n)/)) {
      if (/^(\r\n|\r|\n)$/.test(part)) {
        line++
      } else {
        const shown = /^\s*[#!]\s*([^\s=:]+)\s*[=:]/.exec(part)
        if (shown?.[1] === key && this.entryAtLine(line) === undefined) {
          found = offset + part.length
        }
      }
      offset += part.length
    }
    return found
  }

  private replaced(from: number, to: number, by: string): PropertiesDocument {
    return new PropertiesDocument(this.text.slice(0, from) + by + this.text.slice(to))
  }
}

/** Writes a key so that it is read back as it is. */
export function escapeKey(key: string): string {
  return escapeControls(key).replace(/[ =:#!]/g, '\\$&')
}

/** Writes a value so that it is read back as it is; only blanks at its beginning need a mark. */
export function escapeValue(value: string): string {
  return escapeControls(value).replace(/^ /, '\\ ')
}

function escapeControls(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\f', '\\f')
}

/** Reads escapes and continuation lines, as java.util.Properties does. */
export function unescape(raw: string): string {
  return raw.replace(/\\(?:(\r\n|\r|\n)[ \t\f]*|u([0-9a-fA-F]{4})|([\s\S])|$)/g, (_, lineBreak, hex, character) => {
    if (lineBreak !== undefined) {
      return ''
    }
    if (hex !== undefined) {
      return String.fromCharCode(parseInt(hex, 16))
    }
    return character === undefined ? '' : (CONTROLS[character as string] ?? (character as string))
  })
}

const CONTROLS: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f' }

function parse(text: string): PropertiesEntry[] {
  const entries: PropertiesEntry[] = []
  let offset = 0
  let line = 1
  while (offset < text.length) {
    const start = skip(text, offset, ' \t\f')
    const comment = text[start] === '#' || text[start] === '!'
    const end = comment ? lineEnd(text, start) : logicalEnd(text, start)
    const lines = 1 + breaks(text.slice(offset, end))
    if (!comment && start < end) {
      const keyEnd = endOfKey(text, start, end)
      const valueStart = startOfValue(text, keyEnd, end)
      entries.push({
        key: unescape(text.slice(start, keyEnd)),
        value: unescape(text.slice(valueStart, end)),
        line,
        lines,
        start,
        valueStart,
        end,
      })
    }
    offset = afterLineBreak(text, end)
    line += lines
  }
  return entries
}

function skip(text: string, from: number, characters: string): number {
  let at = from
  while (at < text.length && characters.includes(text[at]!)) {
    at++
  }
  return at
}

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') {
    at++
  }
  return at
}

/** The end of a line and its continuation lines. */
function logicalEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') {
    if (text[at] === '\\') {
      at = text[at + 1] === '\r' && text[at + 2] === '\n' ? at + 3 : Math.min(at + 2, text.length)
    } else {
      at++
    }
  }
  return at
}

/** After a continuation mark at `at`: the first character of the next line that is no blank. Else `at`. */
function overContinuation(text: string, at: number, end: number): number {
  const mark = /^\\(?:\r\n|\r|\n)[ \t\f]*/.exec(text.slice(at, end))
  return mark === null ? at : at + mark[0].length
}

function endOfKey(text: string, start: number, end: number): number {
  let at = start
  while (at < end && !' \t\f=:'.includes(text[at]!)) {
    if (text[at] === '\\') {
      const after = overContinuation(text, at, end)
      at = after > at ? after : Math.min(at + 2, end)
    } else {
      at++
    }
  }
  return at
}

function startOfValue(text: string, keyEnd: number, end: number): number {
  let at = keyEnd
  let separated = false
  while (at < end) {
    const character = text[at]!
    if (' \t\f'.includes(character)) {
      at++
    } else if (!separated && (character === '=' || character === ':')) {
      separated = true
      at++
    } else {
      const after = overContinuation(text, at, end)
      if (after === at) {
        break
      }
      at = after
    }
  }
  return at
}

function breaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}

function afterLineBreak(text: string, at: number): number {
  if (text[at] === '\r') {
    return text[at + 1] === '\n' ? at + 2 : at + 1
  }
  return text[at] === '\n' ? at + 1 : at
}

function lineStartBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') {
    start--
  }
  return start
}

function unescapedPart(text: string): string {
  return text.replace(/\\[\s\S]/g, '')
}
