import chromium from '@sparticuz/chromium'
import { defineConfig } from '@playwright/test'

const executablePath = process.env['CHROMIUM'] ?? (await chromium.executablePath())
const port = 18090

/** Runs on the mock, which serves the built pages with the Content-Security-Policy of the admin server. */
export default defineConfig({
  testDir: '.',
  outputDir: 'results',
  workers: 1,
  reporter: 'list',
  timeout: 600_000,
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'] },
  },
  webServer: { command: 'node ../mock/server.mjs', port, env: { PORT: String(port), FLEET: '1000' } },
})
