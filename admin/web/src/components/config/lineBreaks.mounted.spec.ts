// @vitest-environment happy-dom
import { EditorView } from '@codemirror/view'
import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { i18n } from '@/i18n'
import PropertiesEditor from './PropertiesEditor.vue'

function mounted(text: string) {
  const editor = mount(PropertiesEditor, {
    props: { label: 'text', modelValue: text },
    attachTo: document.body,
    global: { plugins: [i18n] },
  })
  return { editor, view: EditorView.findFromDOM(editor.element.parentElement!)! }
}
const edited = (editor: ReturnType<typeof mounted>['editor']) => editor.emitted('update:modelValue')?.at(-1)

describe('line breaks', () => {
  it('of a text that replaces one with others are line breaks', async () => {
    const { editor, view } = mounted('a=1\r\nb=2\r\n')

    await editor.setProps({ modelValue: 'x=1\ny=2\n' })

    expect(view.state.doc.lines).toBe(3)
    expect(edited(editor)).toBeUndefined()
    view.dispatch({ changes: { from: 0, insert: '#' } })
    expect(edited(editor)).toEqual(['#x=1\ny=2\n'])
  })

  it('stay as they are in an edited text, also if others are pasted', () => {
    const { editor, view } = mounted('a=1\r\nb=2\r\n')

    view.dispatch({ changes: { from: 0, insert: view.state.toText('c=3\nd=4\r\n') } })

    expect(view.state.doc.lines).toBe(5)
    expect(edited(editor)).toEqual(['c=3\r\nd=4\r\na=1\r\nb=2\r\n'])
  })
})
