import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

interface State {
  part: 'start' | 'key' | 'separator' | 'value'
  /** The line before ends with a continuation mark. */
  continued: boolean
}

/** Colours of a properties text: comments, keys, values, escapes and placeholders. */
const language = StreamLanguage.define<State>({
  name: 'properties',
  startState: () => ({ part: 'start', continued: false }),
  languageData: { commentTokens: { line: '#' } },
  token(stream, state) {
    if (stream.sol() && !state.continued) {
      state.part = 'start'
    }
    if (stream.sol()) {
      state.continued = false
      if (stream.eatSpace()) {
        return null
      }
    }
    return tokenOf(stream, state)
  },
})

function tokenOf(stream: StringStream, state: State): string | null {
  if (state.part === 'start') {
    if (stream.eatSpace()) {
      return null
    }
    if (stream.match(/^[#!].*/)) {
      return 'comment'
    }
    state.part = 'key'
  }
  if (stream.match(/^\\$/)) {
    state.continued = true
    return 'escape'
  }
  if (state.part === 'key') {
    if (stream.match(/^(?:[^\s=:\\]|\\.)+/)) {
      return 'propertyName'
    }
    state.part = 'separator'
  }
  if (state.part === 'separator') {
    if (stream.eatSpace()) {
      return null
    }
    state.part = 'value'
    if (stream.match(/^[=:]/)) {
      stream.eatSpace()
      return 'operator'
    }
  }
  if (stream.match(/^\\(?:u[0-9a-fA-F]{4}|.)/)) {
    return 'escape'
  }
  if (stream.match(/^\$\{[^}]*\}/)) {
    return 'string.special'
  }
  if (!stream.match(/^[^\\$]+/)) {
    stream.next()
  }
  return 'string'
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.operator, color: 'var(--muted)' },
  { tag: tags.string, color: 'var(--text)' },
  { tag: tags.escape, color: 'var(--warning)' },
  { tag: tags.special(tags.string), color: 'var(--ok)' },
])

const look = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--surface-2) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--line)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    maxWidth: 'min(460px, 90vw)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionInfo': { backgroundColor: 'var(--surface)', border: '1px solid var(--line-strong)' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--ok-soft) !important' },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--error-soft) !important' },
  '.cm-collapsedLines': { background: 'var(--surface-2)', color: 'var(--muted)', padding: '4px 12px' },
  // Its sign is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""', margin: '0' },
  '.key-docs': { padding: '8px 12px', fontFamily: 'var(--font)', lineHeight: '1.45' },
  '.key-docs p': { margin: '4px 0 0' },
})

/** The look and the colours of a properties text, for editors and for differences. */
export const propertiesLanguage: Extension = [language, syntaxHighlighting(colours), look]
