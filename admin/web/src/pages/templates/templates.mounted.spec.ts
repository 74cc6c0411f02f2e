// @vitest-environment happy-dom
import { openSearchPanel, searchPanelOpen } from '@codemirror/search'
import { EditorView } from '@codemirror/view'
import { actions, field, nothingIsPending, open, press, says, seen, serverFor } from '@/testing/pages'
import { config, page } from '@/testing/samples'
import { describe, expect, it, vi } from 'vitest'

const TEMPLATE = { name: 'mine', kind: 'instance', content: 'canal.mq.topic = mine\n', md5: '0', builtIn: false }

/** Answers questions of the browser, which happy-dom does not have. */
function answer(yes: boolean) {
  const confirm = vi.fn(() => yes)
  window.confirm = confirm
  return confirm
}

const escape = () => new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true })
const isOpen = () => actions().includes('Cancel')

async function editTemplate() {
  serverFor('operator').on('GET', 'templates', [TEMPLATE]).on('GET', 'config/keys', [])
  const router = await open('/templates')
  await press('Edit')
  const editor = await seen(() => document.querySelector<HTMLElement>('.el-dialog .cm-editor'), 'editor')
  return { router, view: EditorView.findFromDOM(editor)! }
}

const change = (view: EditorView) => view.dispatch({ changes: { from: 0, insert: '# a comment\n' } })

describe('the dialog of a template', () => {
  it('asks before it is closed with an edited text', async () => {
    const confirm = answer(false)
    const { view } = await editTemplate()
    change(view)
    await nothingIsPending()

    document.dispatchEvent(escape())
    await nothingIsPending()
    expect(confirm).toHaveBeenCalledTimes(1)
    expect(isOpen()).toBe(true)
    await press('Cancel')
    expect(confirm).toHaveBeenCalledTimes(2)
    expect(isOpen()).toBe(true)

    confirm.mockReturnValue(true)
    document.dispatchEvent(escape())
    await seen(() => (isOpen() ? undefined : true), 'page without the dialog')
  })

  it('is closed at once without an edited text', async () => {
    const confirm = answer(false)
    await editTemplate()

    document.dispatchEvent(escape())

    await seen(() => (isOpen() ? undefined : true), 'page without the dialog')
    expect(confirm).not.toHaveBeenCalled()
  })

  it('stays open at an Escape that closes the search of the editor', async () => {
    const confirm = answer(true)
    const { view } = await editTemplate()
    openSearchPanel(view)

    view.contentDOM.dispatchEvent(escape())
    await nothingIsPending()

    expect(searchPanelOpen(view.state)).toBe(false)
    expect(isOpen()).toBe(true)
    expect(confirm).not.toHaveBeenCalled()
  })

  it('asks before its page is left with an edited text', async () => {
    const confirm = answer(false)
    const { router, view } = await editTemplate()
    change(view)
    await nothingIsPending()

    await router.push('/audit')

    expect(confirm).toHaveBeenCalledTimes(1)
    expect(router.currentRoute.value.path).toBe('/templates')
    const unload = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(unload)
    expect(unload.defaultPrevented).toBe(true)
  })
})

describe('a template', () => {
  it('replaces an edited text only after a question', async () => {
    const confirm = answer(false)
    serverFor('operator')
      .on('GET', 'clusters/5', { id: 5, name: 'pair', zkHosts: 'zk:2181', servers: 1, instances: 0, modified: null })
      .on('GET', 'clusters/5/config', config('canal.port = 1\n'))
      .on('GET', 'config/keys', [])
      .on('POST', 'config/check', { problems: [], effective: [] })
      .on('GET', 'servers', page())
      .on('GET', 'templates', [{ ...TEMPLATE, kind: 'cluster' }])
    await open('/clusters/5')
    const editor = await seen(() => document.querySelector<HTMLElement>('.cm-editor'), 'editor')
    const view = EditorView.findFromDOM(editor)!
    change(view)
    await nothingIsPending()

    await press('From a template')
    await press('mine')
    await nothingIsPending()
    expect(confirm).toHaveBeenCalledTimes(1)
    expect(view.state.sliceDoc()).toBe('# a comment\ncanal.port = 1\n')

    confirm.mockReturnValue(true)
    await seen(
      () => (actions().includes('mine') ? undefined : true),
      'page without the menu, which closes after a choice',
    )
    await press('From a template')
    await press('mine')
    await says('canal.mq.topic')
    expect(view.state.sliceDoc()).toBe(TEMPLATE.content)
  })

  it('replaces an edited text of a new instance only after a question', async () => {
    const confirm = answer(false)
    serverFor('operator')
      .on('GET', 'clusters', [])
      .on('GET', 'servers', { items: [], total: 0, page: 1, size: 50 })
      .on('GET', 'config/keys', [])
      .on('POST', 'config/check', { problems: [], effective: [] })
      .on('GET', 'templates', [TEMPLATE, { ...TEMPLATE, name: 'other', content: 'canal.mq.topic = other\n' }])
    await open('/new-instance')
    await vi.waitFor(async () => expect((await field('Topic')).value).toBe('mine'), { timeout: 60_000 })
    const address = await field('Address')
    address.value = 'db:3306'
    address.dispatchEvent(new Event('input', { bubbles: true }))
    address.dispatchEvent(new Event('change', { bubbles: true }))
    await nothingIsPending()

    await press('From a template')
    await press('other')
    await nothingIsPending()

    expect(confirm).toHaveBeenCalledTimes(1)
    expect((await field('Topic')).value).toBe('mine')
    const unload = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(unload)
    expect(unload.defaultPrevented).toBe(true)
  })
})
