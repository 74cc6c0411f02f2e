import { expect, test, type Page } from '@playwright/test'
import {
  MARKUP,
  act,
  another,
  choosePassword,
  command,
  confirmSave,
  insert,
  logIn,
  look,
  openTab,
  rowsInTopic,
  save,
} from './steps'

const PASSWORD = 'a password for tests 1'
const OPERATOR = { name: 'olga', password: 'a password for tests 2', initial: '' }
const VIEWER = { name: 'victor', password: 'a password for tests 3', initial: '' }
/** Tried again, or given up for a while. */
const BROKEN = /^(its source cannot be read|it has failed)$/
/** How many rows were delivered until now. */
let rows = 0

async function logInAgain(page: Page) {
  await logIn(page, 'admin', PASSWORD)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
}

test.describe.configure({ mode: 'serial' })

/** What the browser complains about, such as a violation of the Content-Security-Policy; but not of statuses that are meant. */
let complaints: string[] = []
test.beforeEach(({ page }) => {
  complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
})
test.afterEach(() => {
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
})

test.describe('an operator', () => {
  test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 }, colorScheme: 'light' })

  test('logs in with the initial password and has to change it', async ({ page }) => {
    await logIn(page, 'admin', 'not the password')
    await expect(page.getByText('User name or password is wrong', { exact: true })).toBeVisible()
    await look(page, 'login')
    const initial = process.env['INITIAL_PASSWORD']!
    await logIn(page, 'admin', initial)
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
    await look(page, 'password')
    await choosePassword(page, initial, PASSWORD)
    await expect(page.getByText('No servers yet')).toBeVisible()
    await look(page, 'overview-empty')
  })

  test('adds a server, which takes its configuration from here', async ({ page }) => {
    await logInAgain(page)
    await page.getByRole('link', { name: 'Servers', exact: true }).click()
    await page.getByRole('button', { name: 'Add server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('first')
    await dialog.getByLabel('Address', { exact: true }).fill('127.0.0.1')
    await dialog.getByLabel('Admin port', { exact: true }).fill(process.env['MANAGEMENT_PORT']!)
    await dialog.getByLabel('Address of the control API').fill(process.env['CONTROL_URL']!)
    await dialog.getByLabel('Token of the control API').fill(process.env['CONTROL_TOKEN']!)
    await look(page, 'server-dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('link', { name: 'first' }).click()

    await openTab(page, 'canal.properties')
    const text = page.getByRole('textbox', { name: 'Configuration of first' })
    await text.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(process.env['CANAL_PROPERTIES']!)
    await expect(page.getByText('No problems')).toBeVisible()
    await look(page, 'server-config')
    await save(page, 'To Kafka', 2)

    await command('/server/start')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByRole('button', { name: 'Test' }).click()
    await expect(dialog.getByRole('status')).toContainText(/Sluice \S+ with no instance/)
    await expect(dialog.getByRole('status')).toContainText('The management port answers')
    await look(page, 'server-tested')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Running').first()).toBeVisible()
  })

  test('creates an instance by the form, and its rows flow', async ({ page }) => {
    await logInAgain(page)
    await page.goto('/instances/shop')
    await expect(page.getByText('There is no instance shop')).toBeVisible()
    const early = await page.context().newPage()
    await early.goto('/instances')
    await expect(early.getByText('No instances yet')).toBeVisible()
    await early.getByRole('link', { name: 'Create instance' }).click()
    await early.getByLabel('Name', { exact: true }).fill('shop')
    await early.getByLabel('Belongs to').selectOption({ label: 'first' })
    await early.getByLabel('Address', { exact: true }).fill(process.env['MYSQL_ADDRESS']!)
    await early.getByLabel('User', { exact: true }).fill('canal')
    await early.getByLabel('Password', { exact: true }).fill('canal')
    await early.getByLabel('Include', { exact: true }).fill('shop\\..*')
    await early.getByLabel('Topic', { exact: true }).fill('shop')
    await early.getByLabel('Partitions', { exact: true }).fill('1')
    await expect(early.getByText('No problems')).toBeVisible()
    await look(early, 'new-instance')
    await early.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(early).toHaveURL(/\/instances\/shop$/)
    await early.close()

    // The page that knew of no such instance has noticed.
    await expect(page.getByText('Running').first()).toBeVisible()
    await insert(100, 'tea')
    await rowsInTopic((rows = 100))
    await expect(page.getByText(/^100 rows,/)).toBeVisible()
    await expect(page.getByRole('img', { name: /^Rows\/s of the last .* to [1-9]/ })).toBeVisible()
    await look(page, 'instance')
  })

  test('sees tables, messages and the log, and markup in them is text', async ({ page }) => {
    await logInAgain(page)
    await page.goto('/instances/shop/changes')
    await page.getByRole('button', { name: 'Show values' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show values' }).click()
    await expect(page.getByText('Values are shown')).toBeVisible()
    await command('/sql', `create table shop.\`${MARKUP}\` (id int primary key auto_increment, note varchar(50))`)
    // Another row each time: MySQL writes no event for a row that is replaced by the same.
    await expect(async () => {
      await command('/sql', `insert into shop.\`${MARKUP}\` (note) values ('${MARKUP}')`)
      await expect(page.getByRole('cell', { name: MARKUP }).first()).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await look(page, 'messages')
    await openTab(page, 'Tables')
    await expect(page.getByText(`shop.${MARKUP}`)).toBeVisible()
    await expect(page.getByText('shop.orders')).toBeVisible()
    await look(page, 'tables')

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(`maintenance ${MARKUP}`)
    await look(page, 'pause')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(/Paused since/)).toBeVisible()
    await openTab(page, 'Stream')
    await look(page, 'instance-paused')
    await openTab(page, 'Log')
    await expect(page.getByRole('log')).toContainText('reading the binlog: instance=shop')
    await page.goto('/servers/1/log')
    await expect(page.getByRole('log')).toContainText(`maintenance ${MARKUP}`)
    await look(page, 'log')
    await page.getByLabel('File').selectOption('audit.log')
    await expect(page.getByRole('log')).toContainText('"action":"pause"')

    await page.goto('/instances/shop')
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText(/Paused since/)).toBeHidden()
  })

  test('sees the source break and come back', async ({ page }) => {
    await logInAgain(page)
    await command('/mysql/stop')
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'shop' }).first()).toBeVisible()
    await look(page, 'overview-problem')
    await command('/mysql/start')
    await expect(page.getByText('No problems')).toBeVisible({ timeout: 90_000 })
    await look(page, 'overview')
    rows = Number(await command('/rows'))
    await insert(1, 'coffee')
    await rowsInTopic(++rows)
  })

  test('saves a configuration that does not work, and rolls it back', async ({ page }) => {
    await logInAgain(page)
    await page.goto('/instances/shop/config')
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await look(page, 'config')
    await save(page, 'A new password', 2)
    await openTab(page, 'Stream')
    await expect(page.getByText(BROKEN).first()).toBeVisible()
    await expect(page.getByText(/What to do: check canal.instance.dbUsername/)).toBeVisible()
    await look(page, 'instance-broken')
    await openTab(page, 'Errors')
    await expect(page.getByText(/Access denied/).first()).toBeVisible()
    await look(page, 'errors')

    await openTab(page, 'Configuration')
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByText('not the password').first()).toBeVisible()
    await look(page, 'history')
    await page.getByRole('button', { name: 'Roll back to version 1' }).click()
    await look(page, 'roll-back')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Version 3 was saved')).toBeVisible()
    await openTab(page, 'Stream')
    await expect(page.getByText(BROKEN)).toBeHidden()
    await expect(page.getByText('Running').first()).toBeVisible()
    await insert(1, 'milk')
    await rowsInTopic(++rows)
  })

  test('rewinds the cursor, and the rows arrive again', async ({ page }) => {
    await logInAgain(page)
    await page.goto('/instances/shop')
    const position = page.locator('code', { hasText: /^\w+\.\d+:\d+$/ })
    await expect(position).toBeVisible()
    const before = await position.innerText()
    await insert(5, 'once more')
    await rowsInTopic((rows += 5))
    const dialog = page.getByRole('dialog')
    const preview = dialog.getByText(/sent again: \d+ transactions with \d+ row events/)
    let again = 0
    // The cursor is written once a second, so an answer may lack what was acknowledged since: a new dialog asks again.
    await expect(async () => {
      if (await dialog.isVisible()) {
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await expect(dialog).toBeHidden()
      }
      await act(page, 'Rewind or skip')
      await dialog.getByText('Binlog position', { exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Binlog position' }).fill(before)
      await dialog.getByRole('button', { name: 'Dry run' }).click()
      await expect(preview).toBeVisible()
      again = Number(/with (\d+) row events/.exec(await preview.innerText())![1])
      expect(again).toBeGreaterThanOrEqual(5)
    }).toPass()
    await look(page, 'rewind')
    await dialog.getByRole('button', { name: 'Move the cursor' }).click()
    await expect(dialog).toBeHidden()
    await rowsInTopic((rows += again))
  })

  test('tries a configuration before it is saved', async ({ page }) => {
    await logInAgain(page)
    await page.goto('/instances')
    await page.getByRole('link', { name: 'Create instance' }).click()
    await page.getByLabel('Name', { exact: true }).fill('tried')
    await page.getByLabel('Belongs to').selectOption({ label: 'first' })
    await page.getByLabel('Address', { exact: true }).fill(process.env['MYSQL_ADDRESS']!)
    await page.getByLabel('User', { exact: true }).fill('canal')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    const connection = page.getByRole('region', { name: 'Test the connection' })
    await connection.getByRole('button', { name: 'Test' }).click()
    await expect(connection.getByText('It does not work')).toBeVisible({ timeout: 60_000 })
    await expect(connection.getByText(/Access denied/)).toBeVisible()
    await look(page, 'connection-failed')
    await page.getByLabel('Password', { exact: true }).fill('canal')
    await expect(connection.getByText('It does not work')).toBeHidden()
    await connection.getByRole('button', { name: 'Test' }).click()
    await expect(connection.getByText('the binlog can be read')).toBeVisible({ timeout: 60_000 })
    await expect(connection.getByText(/Access denied/)).toBeHidden()
    await look(page, 'connection')

    const routes = page.getByRole('region', { name: 'Test filter and routes' }).first()
    await routes.getByRole('button', { name: 'List tables of the source' }).click()
    await expect(routes.getByText(/^Tables that the account sees: [0-9]+/)).toBeVisible({ timeout: 60_000 })
    await expect(routes.getByRole('row', { name: /shop\.orders/ })).toBeVisible()
    await look(page, 'routes')
  })

  test('adds users, whose roles count', async ({ page, browser }) => {
    await logInAgain(page)
    await page.getByRole('link', { name: 'Users' }).click()
    for (const [user, role] of [
      [VIEWER, 'Viewer'],
      [OPERATOR, 'Operator'],
    ] as const) {
      await page.getByRole('button', { name: 'Add user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^User name/).fill(user.name)
      await dialog.locator('label').filter({ hasText: role }).click()
      await look(page, `user-${role}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByText('It is shown only now.')).toBeVisible()
      user.initial = await dialog.locator('code').innerText()
      await dialog.getByRole('button', { name: 'Close', exact: true }).click()
      await expect(dialog).toBeHidden()
    }
    await look(page, 'users')

    const viewer = await another(browser, VIEWER.name, VIEWER.initial, VIEWER.password)
    await expect(viewer.getByRole('link', { name: 'Users' })).toHaveCount(0)
    await viewer.goto('/instances/shop')
    await expect(viewer.getByText('Running').first()).toBeVisible()
    await expect(viewer.getByRole('button', { name: /Pause|Actions/ })).toHaveCount(0)
    await expect(viewer.getByRole('tab', { name: /Log|Configuration/ })).toHaveCount(0)
    await viewer.goto('/users')
    await expect(viewer.getByText('Your role does not allow this page')).toBeVisible()
    await look(viewer, 'not-allowed')
    await viewer.context().close()
  })

  test('is told when another user has saved meanwhile', async ({ page, browser }) => {
    await logInAgain(page)
    await page.goto('/instances/shop/config')
    await page.getByLabel('Exclude', { exact: true }).fill('shop\\.drafts')

    const operator = await another(browser, OPERATOR.name, OPERATOR.initial, OPERATOR.password)
    await expect(operator.getByRole('link', { name: 'Users' })).toHaveCount(0)
    await operator.goto('/instances/shop/config')
    await operator.getByRole('button', { name: 'Actions', exact: true }).click()
    await expect(operator.getByRole('menuitem', { name: 'Restart' })).toBeVisible()
    await expect(operator.getByRole('menuitem', { name: 'Rewind or skip' })).toHaveCount(0)
    await operator.reload() // the menu covers what is needed next, and while it opens no key closes it
    await operator.getByLabel('Exclude', { exact: true }).fill('shop\\.tests')
    await save(operator, 'No tests', 4)
    await operator.context().close()

    await expect(page.getByText('Version 4 was saved by olga in the meantime')).toBeVisible()
    await page.getByRole('button', { name: 'Save…' }).click()
    await confirmSave(page.getByRole('dialog'), 'No drafts')
    const conflict = page.getByRole('dialog', { name: 'Another user has saved a version' })
    await expect(conflict.getByText('Nothing of yours was saved.')).toBeVisible()
    await expect(conflict.getByText('shop\\\\.tests')).toBeVisible()
    await expect(conflict.getByText('shop\\\\.drafts')).toBeVisible()
    await look(page, 'conflict')
    await conflict.getByRole('button', { name: 'Save my text over it' }).click()
    await confirmSave(page.getByRole('dialog', { name: 'Save the configuration' }), 'No drafts')
    await expect(page.getByText('Version 5 was saved')).toBeVisible()
  })

  test('looks at the other pages, and logs out', async ({ page }) => {
    await logInAgain(page)
    for (const [path, text] of [
      ['/instances', 'shop'],
      ['/servers', 'first'],
      ['/servers/1', '127.0.0.1'],
      ['/clusters', 'No clusters yet'],
      ['/templates', 'instance-kafka'],
      ['/audit', 'instance.pause'],
      ['/account', 'this session'],
      ['/nothing/here', 'There is no such page'],
    ] as const) {
      await page.goto(path)
      await expect(page.locator('main').getByText(text).first()).toBeVisible()
      await look(page, path.slice(1).replace('/', '-'))
    }
    // By the keyboard alone: the focus is where it was when the question was asked.
    await page.goto('/instances/shop')
    await page.getByRole('button', { name: 'Actions', exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: 'Restart', exact: true }).press('Enter')
    await expect(page.getByRole('dialog').getByText('Restart shop?')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Actions', exact: true })).toBeFocused()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/\/login/)
    await page.goto('/servers')
    await expect(page).toHaveURL(/\/login/)
  })
})

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 380, height: 780 } })

  test('the pages have their texts', async ({ page }) => {
    await page.goto('/login')
    await page.getByLabel('用户名').fill('admin')
    await page.getByLabel('密码').fill(PASSWORD)
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page).toHaveURL(/\/$/)
    for (const [path, text] of [
      ['/', '概览'],
      ['/instances/shop', '运行'],
      ['/instances/shop/config', '主题与分区'],
      ['/users', 'olga'],
    ] as const) {
      await page.goto(path)
      await expect(page.locator('main').getByText(text).first()).toBeVisible()
      await look(page, `zh-${path.slice(1).replaceAll('/', '-') || 'overview'}`)
    }
  })
})
