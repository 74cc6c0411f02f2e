import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { ConfigKey, OwnerKind } from '@/api/types'
import { docText } from './docText'
import { keyHelp } from './keyHelp'

/** Returns the keys that may be in the text of an instance, or of a server or cluster. */
export function keysOf(keys: readonly ConfigKey[], kind: OwnerKind): ConfigKey[] {
  // An instance inherits from canal.properties, so keys of instances may be there too; it may not set keys of the server.
  return kind === 'instance' ? keys.filter(({ scope }) => scope !== 'server') : [...keys]
}

/** The words around a key's documentation. */
export interface KeyWords {
  language: string
  /** Said before a description that is not in the language of the page. */
  foreign: string
  defaultValue: string
  values: string
  effect: Record<ConfigKey['effect'], string>
  secret: string
}

/** Returns the documentation of a key as an element. Built from text nodes, since descriptions are no HTML. */
export function keyDocs(key: ConfigKey, words: KeyWords): HTMLElement {
  const box = document.createElement('div')
  box.className = 'key-docs'
  const name = document.createElement('code')
  name.textContent = key.key
  const type = document.createElement('span')
  type.className = 'muted'
  type.textContent = `  ${key.type}`
  box.append(name, type)
  const help = keyHelp(key, words.language)
  if (help.foreign !== undefined) {
    const note = document.createElement('p')
    note.className = 'muted'
    note.textContent = words.foreign
    box.append(note)
  }
  const description = document.createElement('p')
  description.textContent = docText(help.text)
  if (help.foreign !== undefined) {
    description.lang = help.foreign
  }
  if (description.textContent) {
    box.append(description)
  }
  const lines = [
    key.values.length ? `${words.values} ${key.values.join(', ')}` : undefined,
    key.defaultValue === null ? undefined : `${words.defaultValue} ${key.defaultValue}`,
    words.effect[key.effect],
    key.secret ? words.secret : undefined,
  ]
  for (const line of lines) {
    if (line) {
      const paragraph = document.createElement('p')
      paragraph.textContent = line
      box.append(paragraph)
    }
  }
  return box
}

/** Returns what completes a line: keys at its beginning, else the values of its key. */
export function completeProperties(
  context: CompletionContext,
  keys: readonly ConfigKey[],
  words: KeyWords,
): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  const key = /^\s*(?:[#!]\s*)?([\w.-]*)$/.exec(before)
  if (key !== null) {
    if (key[1] === '' && !context.explicit) {
      return null
    }
    const rest = line.text.slice(before.length)
    return {
      from: context.pos - key[1]!.length,
      options: keys.map((each) => completionOf(each, /[=:]/.test(rest), words)),
      validFor: /^[\w.-]*$/,
    }
  }
  const value = /^\s*([^\s#!=:][^\s=:]*)\s*[=:]?\s*(\S*)$/.exec(before)
  const known = value === null ? undefined : keys.find((each) => each.key === value[1])
  const values =
    known === undefined
      ? []
      : known.values.length
        ? known.values
        : /true or false|boolean/i.test(known.type)
          ? ['true', 'false']
          : []
  if (value === null || values.length === 0) {
    return null
  }
  return { from: context.pos - value[2]!.length, options: values.map((label) => ({ label, type: 'enum' })) }
}

function completionOf(key: ConfigKey, separated: boolean, words: KeyWords): Completion {
  return {
    label: key.key,
    apply: separated ? key.key : `${key.key} = `,
    detail: key.defaultValue === null ? undefined : `= ${key.defaultValue}`,
    type: 'property',
    info: () => keyDocs(key, words),
  }
}
