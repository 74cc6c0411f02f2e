import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { defineConfig } from '@playwright/test'

const installed = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Started by PagesIT, which sets the variables; the browser is one that is installed, or comes with npm. */
export default defineConfig({
  testDir: 'pages',
  outputDir: 'target/pages',
  workers: 1,
  reporter: 'list',
  timeout: 480_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: process.env['ADMIN_URL']!,
    actionTimeout: 60_000,
    // Animations keep a browser without a graphics card busy, also while a test waits.
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: installed ?? (await chromium.executablePath()),
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    },
  },
})
